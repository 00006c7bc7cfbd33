import { Token, type IResolvable } from "cdktf";
import type { Construct } from "constructs";
import { AiTask as AiTaskBinding } from "../../../bindings/providers/workspace/ai-task";
import { product, ResourceConstruct, type ConstructType } from "../../construct";
import { aiTask } from "./declare";
import { platformRequirement } from "../template/platform-requirements";
import type { AiTaskProps, AiTaskSidebarApp } from "./props";
import { blockValue } from "../../construct/token/block-value";

const type: ConstructType = {
  name: "workspace.AiTask",
  declaration: aiTask,
  stackRules: [platformRequirement],
};

/** Makes workspaces of the template able to run AI tasks, and says in which app a task is shown. */
export class AiTask extends ResourceConstruct<AiTaskBinding, AiTaskProps> {
  /** What the resource is called across products. */
  static readonly typeToken = `${product.name}:workspace/v1:AiTask`;

  /** @throws ValidationError with everything that is wrong with the properties */
  constructor(scope: Construct, id: string, props: AiTaskProps) {
    super(scope, id, type, props, (...given) => new AiTaskBinding(...given));
  }

  /** ID of the app that shows the task, given by either property. */
  get appId(): string {
    return this.resource.appId;
  }

  /**
   * App that is shown in the sidebar; its ID is null when `appId` was given instead.
   *
   * @deprecated use {@link appId} instead
   */
  get sidebarApp(): AiTaskSidebarApp {
    return { id: Token.asString(blockValue(this.resource, "sidebar_app[*].id")) };
  }

  /** ID of the task; outside a task one that was made up. */
  get aiTaskId(): string {
    return this.resource.id;
  }

  /** Whether the build runs in a task. */
  get enabled(): IResolvable {
    return Token.asAny(this.resource.enabled);
  }

  /** Prompt of the task; empty without one. The platform gives it from version 2.28 on. */
  get prompt(): string {
    return this.resource.prompt;
  }
}
