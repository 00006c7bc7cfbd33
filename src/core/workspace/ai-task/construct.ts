import { Token } from "cdktf";
import { platformRequirement } from "../template/platform-requirements";
import { deprecatedTask, promptOfTask } from "./rules";
import { AiTaskBase, type AiTaskSidebarApp, DataTaskBase } from "./generated";
import { blockValue } from "../../construct/token/block-value";

/**
 * Lets workspaces of the template run AI tasks, and selects the app that shows a task.
 *
 * coder has deprecated tasks as of version 2.34:
 * https://coder.com/docs/ai-coder/agents/tasks-to-chats-migration
 */
export class AiTask extends AiTaskBase {
  protected static override readonly stackRules = [
    platformRequirement,
    promptOfTask,
    deprecatedTask,
  ];

  /**
   * App that is shown in the sidebar. Its ID is null if `appId` was set instead.
   *
   * @deprecated use {@link appId} instead
   */
  get sidebarApp(): AiTaskSidebarApp {
    return { id: Token.asString(blockValue(this.resource, "sidebar_app[*].id")) };
  }
}

/**
 * The AI task that the build belongs to, if any.
 *
 * coder has deprecated tasks as of version 2.34:
 * https://coder.com/docs/ai-coder/agents/tasks-to-chats-migration
 */
export class DataTask extends DataTaskBase {
  protected static override readonly stackRules = [platformRequirement, deprecatedTask];
}
