import { Lazy, type TerraformModule } from "cdktf";
import type { Construct } from "constructs";
import type { Script as ScriptBinding } from "../../../../bindings/providers/workspace/script";
import { addressOf } from "../../construct/graph/address";
import { platformRequirement } from "../template/platform-requirements";
import { DataScriptOrderBase, type ScriptOrderRule } from "./generated";
import { orderOfScripts } from "./rules";

/**
 * The order in which an agent runs its scripts, by their addresses in Terraform.
 *
 * `script.after(other)` and `agent.orderScripts({ run, after })` declare one for constructs.
 */
export class DataScriptOrder extends DataScriptOrderBase {
  protected static override readonly stackRules = [orderOfScripts, platformRequirement];
}

/** A script, or a module for all scripts in it. */
export type OrderedScripts =
  { readonly resource: ScriptBinding | TerraformModule } | TerraformModule;

/** When scripts may run after others. */
export type ScriptOrderOptions = Omit<ScriptOrderRule, "run" | "after">;

/** Adds a data source with one rule to a construct, for scripts in its stack. */
export function addScriptOrder(
  scope: Construct,
  {
    run,
    after,
    ...options
  }: ScriptOrderOptions & {
    readonly run: readonly OrderedScripts[];
    readonly after: readonly OrderedScripts[];
  },
  provider: ScriptBinding["provider"],
): DataScriptOrder {
  const before = scope.node.children.filter((child) => child instanceof DataScriptOrder).length;
  const rule = { ...options, run: run.map(addressLater), after: after.map(addressLater) };
  const id = before === 0 ? "Order" : `Order${before + 1}`;
  return new DataScriptOrder(scope, id, { rules: [rule], provider });
}

/** Returns the address as a token, because the name of an element can still be overridden. */
function addressLater(scripts: OrderedScripts): string {
  const element = "resource" in scripts ? scripts.resource : scripts;
  return Lazy.stringValue({ produce: () => addressOf(element) ?? "" });
}
