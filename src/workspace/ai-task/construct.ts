import { Token, type IResolvable } from "cdktf";
import type { Construct } from "constructs";
import { AiTask as AiTaskBinding } from "../../../bindings/providers/workspace/ai-task";
import { product, ResourceConstruct, type ConstructType } from "../../construct";
import { aiTask } from "./declare";
import { platformRequirement } from "../template/platform-requirements";
import { promptOfTask } from "./rules";
import type { AiTaskProps, AiTaskSidebarApp } from "./props";
import { blockValue } from "../../construct/token/block-value";

const type: ConstructType = {
  name: "workspace.AiTask",
  declaration: aiTask,
  stackRules: [platformRequirement, promptOfTask],
};

/** Lets workspaces of the template run AI tasks, and selects the app that shows a task. */
export class AiTask extends ResourceConstruct<AiTaskBinding, AiTaskProps> {
  /** Name of the resource type, the same for all products. */
  static readonly typeToken = `${product.name}:workspace/v1:AiTask`;

  constructor(scope: Construct, id: string, props: AiTaskProps) {
    super(scope, id, type, props, (...given) => new AiTaskBinding(...given));
  }

  /** ID of the app that shows the task, from either property. */
  get appId(): string {
    return this.resource.appId;
  }

  /**
   * App that is shown in the sidebar. Its ID is null if `appId` was set instead.
   *
   * @deprecated use {@link appId} instead
   */
  get sidebarApp(): AiTaskSidebarApp {
    return { id: Token.asString(blockValue(this.resource, "sidebar_app[*].id")) };
  }

  /** ID of the task; a random ID outside a task. */
  get aiTaskId(): string {
    return this.resource.id;
  }

  /** True if the build belongs to a task. */
  get enabled(): IResolvable {
    return Token.asAny(this.resource.enabled);
  }

  /** Prompt of the task; empty without one. Needs version 2.28 of the platform. */
  get prompt(): string {
    return this.resource.prompt;
  }
}
