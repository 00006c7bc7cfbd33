import { type Expression, partsOf } from "../expression/syntax";
import { AttributeError, expressionOf } from "./body";
import type { Configuration } from "./configuration";

/**
 * Returns what ephemeral things expressions use, such as `var.token`, also through locals; undefined if there is nothing.
 *
 * @see {@link https://developer.hashicorp.com/terraform/language/resources/ephemeral}
 */
export function ephemeralIn(
  { variables, locals, hasEphemeral }: Configuration,
  expressions: readonly Expression[],
): string | undefined {
  const open = hasEphemeral ? [...expressions] : [];
  const seen = new Set<string>();
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    // Its result is null, and thus no longer ephemeral.
    if (each.kind === "call" && each.name === "ephemeralasnull") continue;
    open.push(...partsOf(each));
    if (each.kind !== "attribute" || each.of.kind !== "variable") continue;
    const { name, of } = each;
    if (of.name === "ephemeral") return `ephemeral.${name}`;
    if (of.name === "var" && variables.get(name)?.["ephemeral"] === true) return `var.${name}`;
    if (of.name !== "local" || seen.has(name) || !locals.has(name)) continue;
    seen.add(name);
    open.push(expressionOf(locals.get(name)));
  }
  return undefined;
}

export const ephemeralStored = (attribute: string, found: string): AttributeError =>
  new AttributeError(
    `${attribute} uses ${found}, which is ephemeral: Terraform must not store it.`,
    [attribute],
  );
