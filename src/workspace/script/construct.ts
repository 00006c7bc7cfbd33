import type { Construct } from "constructs";
import { Script as ScriptBinding } from "../../../bindings/providers/workspace/script";
import { product, type ConstructType } from "../../construct";
import { script } from "./declare";
import { agentInStack, agentEdge } from "../template/agent-parts";
import { ScriptBase, type ScriptProps } from "./generated";

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
export class Script extends ScriptBase<ScriptProps> {
  /** Name of the resource type, the same for all products. */
  static readonly typeToken = `${product.name}:workspace/v1:Script`;

  constructor(scope: Construct, id: string, props: ScriptProps) {
    super(scope, id, type, props, (...given) => new ScriptBinding(...given));
  }
}
