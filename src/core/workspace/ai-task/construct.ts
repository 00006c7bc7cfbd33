import { Token } from "cdktf";
import type { Construct } from "constructs";
import { AiTask as AiTaskBinding } from "../../../../bindings/providers/workspace/ai-task";
import type { ConstructType } from "../../construct";
import { aiTask } from "./declare";
import { deprecatedTask } from "../template/deprecated-tasks";
import { platformRequirement } from "../template/platform-requirements";
import { promptOfTask } from "./rules";
import { AiTaskBase, type AiTaskProps, type AiTaskSidebarApp } from "./generated";
import { blockValue } from "../../construct/token/block-value";

const type: ConstructType = {
  name: "workspace.AiTask",
  declaration: aiTask,
  stackRules: [platformRequirement, promptOfTask, deprecatedTask],
};

/**
 * Lets workspaces of the template run AI tasks, and selects the app that shows a task.
 *
 * coder has deprecated tasks as of version 2.34:
 * https://coder.com/docs/ai-coder/agents/tasks-to-chats-migration
 */
export class AiTask extends AiTaskBase<AiTaskProps> {
  constructor(scope: Construct, id: string, props: AiTaskProps) {
    super(scope, id, type, props, (...given) => new AiTaskBinding(...given));
  }

  /**
   * App that is shown in the sidebar. Its ID is null if `appId` was set instead.
   *
   * @deprecated use {@link appId} instead
   */
  get sidebarApp(): AiTaskSidebarApp {
    return { id: Token.asString(blockValue(this.resource, "sidebar_app[*].id")) };
  }
}
