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

/**
 * The AI task in which the build runs, if there is one.
 */
export class DataTask extends DataSourceConstruct<DataWorkspaceTask> {
  /** What the data source is called across products. */
  static readonly typeToken = `${product.name}:workspace/v1:DataTask`;

  /** @throws ValidationError with everything that is wrong with the properties */
  constructor(scope: Construct, id: string, props: DataTaskProps = {}) {
    super(scope, id, type, props, (...given) => new DataWorkspaceTask(...given));
  }

  /** ID of the task (a UUID); empty without one. */
  get id(): string {
    return this.resource.id;
  }

  /** Whether the build runs in a task. */
  get enabled(): IResolvable {
    return Token.asAny(this.resource.enabled);
  }

  /** Prompt of the task; empty without one. */
  get prompt(): string {
    return this.resource.prompt;
  }
}
