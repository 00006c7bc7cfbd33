import {
  addScriptOrder,
  type OrderedScripts,
  type ScriptOrderOptions,
} from "../script-order/construct";
import { orderOfScripts } from "../script-order/rules";
import { agentInStack, agentEdge } from "../template/agent-parts";
import { ScriptBase } from "./generated";

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
export class Script extends ScriptBase {
  protected static override readonly stackRules = [agentInStack, agentEdge, orderOfScripts];

  /**
   * Makes this script wait until others of the same agent have ended. A module selects all scripts in it.
   *
   * By default, this script is skipped if one of them fails. With `requires: "completion"` it runs anyway.
   * Needs version 2.39 of coder.
   */
  after(
    earlier: OrderedScripts | readonly OrderedScripts[],
    options: ScriptOrderOptions = {},
  ): this {
    const after = "length" in earlier ? earlier : [earlier];
    addScriptOrder(this, { ...options, run: [this], after }, this.resource.provider);
    return this;
  }
}
