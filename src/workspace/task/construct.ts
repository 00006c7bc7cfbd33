import { Token, type IResolvable } from "cdktf";
import type { Construct } from "constructs";
import { DataWorkspaceTask } from "../../../bindings/providers/workspace/data-workspace-task";
import { DataSourceConstruct, product, type ConstructType } from "../../construct";
import { task } from "./declare";
import { platformRequirement } from "../template/platform-requirements";
import type { DataTaskProps } from "./props";

const type: ConstructType = {
  name: "workspace.DataTask",
  declaration: task,
  stackRules: [platformRequirement],
};

/** The AI task that the build belongs to, if any. */
export class DataTask extends DataSourceConstruct<DataWorkspaceTask> {
  /** Name of the data source type, the same for all products. */
  static readonly typeToken = `${product.name}:workspace/v1:DataTask`;

  constructor(scope: Construct, id: string, props: DataTaskProps = {}) {
    super(scope, id, type, props, (...given) => new DataWorkspaceTask(...given));
  }

  /** ID of the task (a UUID); empty without one. */
  get id(): string {
    return this.resource.id;
  }

  /** True if the build belongs to a task. */
  get enabled(): IResolvable {
    return Token.asAny(this.resource.enabled);
  }

  /** Prompt of the task; empty without one. */
  get prompt(): string {
    return this.resource.prompt;
  }
}
