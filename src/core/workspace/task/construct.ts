import type { Construct } from "constructs";
import { DataWorkspaceTask } from "../../../../bindings/providers/workspace/data-workspace-task";
import type { ConstructType } from "../../construct";
import { task } from "./declare";
import { deprecatedTask } from "../template/deprecated-tasks";
import { platformRequirement } from "../template/platform-requirements";
import { DataTaskBase, type DataTaskProps } from "./generated";

const type: ConstructType = {
  name: "workspace.DataTask",
  declaration: task,
  stackRules: [platformRequirement, deprecatedTask],
};

/**
 * The AI task that the build belongs to, if any.
 *
 * coder has deprecated tasks as of version 2.34:
 * https://coder.com/docs/ai-coder/agents/tasks-to-chats-migration
 */
export class DataTask extends DataTaskBase<DataTaskProps> {
  constructor(scope: Construct, id: string, props: DataTaskProps = {}) {
    super(scope, id, type, props, (...given) => new DataWorkspaceTask(...given));
  }
}
