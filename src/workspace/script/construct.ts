import { Token, type IResolvable } from "cdktf";
import type { Construct } from "constructs";
import { Script as ScriptBinding } from "../../../bindings/providers/workspace/script";
import { product, ResourceConstruct, type ConstructType } from "../../construct";
import { script } from "./declare";
import { agentInStack, agentEdge } from "../template/agent-parts";
import type { ScriptProps } from "./props";

const type: ConstructType = {
  name: "workspace.Script",
  declaration: script,
  stackRules: [agentInStack, agentEdge],
};

/**
 * A script that an agent runs when the workspace starts, before it stops, or at intervals.
 *
 * See the guide `docs/guide/agents.md` in this package.
 *
 * @example
 * ```ts
 * new workspace.Script(this, "stop", {
 *   agentId: main.agentId,
 *   displayName: "Stop",
 *   script: "make stop",
 *   runOnStop: true,
 * });
 * ```
 */
export class Script extends ResourceConstruct<ScriptBinding, ScriptProps> {
  /** Name of the resource type, the same for all products. */
  static readonly typeToken = `${product.name}:workspace/v1:Script`;

  constructor(scope: Construct, id: string, props: ScriptProps) {
    super(scope, id, type, props, (...given) => new ScriptBinding(...given));
  }

  /** ID of the agent that runs the script. */
  get agentId(): string {
    return this.resource.agentId;
  }

  /** Name that users see. */
  get displayName(): string {
    return this.resource.displayName;
  }

  /** Content of the script. */
  get script(): string {
    return this.resource.script;
  }

  /** URL of the script's icon. */
  get icon(): string {
    return this.resource.icon;
  }

  /** Path of the log file in the workspace. */
  get logPath(): string {
    return this.resource.logPath;
  }

  /** True if the script runs when the workspace starts. */
  get runOnStart(): IResolvable {
    return Token.asAny(this.resource.runOnStart);
  }

  /** True if the script runs before the workspace stops. */
  get runOnStop(): IResolvable {
    return Token.asAny(this.resource.runOnStop);
  }

  /** True if users can log in only after the script has ended. */
  get startBlocksLogin(): IResolvable {
    return Token.asAny(this.resource.startBlocksLogin);
  }

  /** When the script runs. */
  get cron(): string {
    return this.resource.cron;
  }

  /** Maximum duration of one run, in seconds; 0 means no limit. */
  get timeout(): number {
    return this.resource.timeout;
  }

  /** ID of the script. */
  get scriptId(): string {
    return this.resource.id;
  }
}
