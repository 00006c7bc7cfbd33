import type { Declaration } from "../../../schema/declaration";
import type { Values } from "../../../schema/resource-rule";

/**
 * A `plan` handler may decide only what Terraform lets a provider plan: attributes that are computed,
 * or that are resolved and absent from the configuration.
 */
export function refuseUnlawfulDecisions(
  { type, attributes, blocks }: Declaration,
  config: Values,
  decisions: Values,
): void {
  for (const name of Object.keys(decisions)) {
    const presence = attributes[name]?.presence;
    const isFree = presence === "resolved" && (config[name] ?? null) === null;
    // An absent set block may gain an element; Terraform itself refuses what goes too far.
    const isBlock = blocks[name]?.nesting === "set";
    if (presence !== "computed" && !isFree && !isBlock) {
      throw new Error(
        `the plan of ${type} decided "${name}", which only the configuration may set`,
      );
    }
  }
}
