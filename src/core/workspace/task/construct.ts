import { deprecatedTask } from "../template/deprecated-tasks";
import { platformRequirement } from "../template/platform-requirements";
import { DataTaskBase } from "./generated";

/**
 * The AI task that the build belongs to, if any.
 *
 * coder has deprecated tasks as of version 2.34:
 * https://coder.com/docs/ai-coder/agents/tasks-to-chats-migration
 */
export class DataTask extends DataTaskBase {
  protected static override readonly stackRules = [platformRequirement, deprecatedTask];
}
