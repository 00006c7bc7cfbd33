import { TerraformResource } from "cdktf";
import type { StackContext, StackFinding, StackMember } from "../../construct";
import { warning } from "../../schema";
import { coderSeverity } from "./platform-facts";
import { isStoredResource, longestName } from "../product/coder-limits";
import { prefixOf } from "./terraform-type";

const longName = warning(
  "template-long-name",
  "the name of a resource is too long for the platform's database",
);

/** Explains that a name is too long. cdktf derives names from the IDs of nested constructs. */
export const tooLongName = (name: string, what: string): string =>
  `would be the ${what} ${JSON.stringify(name)} on the platform, whose name must be at most ${longestName} characters long (got ${name.length}): shorten the construct IDs, or call overrideLogicalId`;

/**
 * Checks the names of all resources, including those of other providers and the machine's, because the
 * platform stores them.
 */
export function* resourceNames(
  [member]: readonly StackMember[],
  context: StackContext,
): Generator<StackFinding> {
  if (member === undefined) return;
  const { construct } = member;
  const prefix = prefixOf(member);
  for (const { element } of context.references().elements) {
    if (!TerraformResource.isTerraformResource(element)) continue;
    const { terraformResourceType: type, friendlyUniqueId: name } = element;
    if (!isStoredResource(type, prefix) || name.length <= longestName) continue;
    yield {
      construct,
      finding: coderSeverity(construct, longName, "nameLength").at(
        [],
        `${element.node.path}: ${tooLongName(name, "resource")}`,
      ),
    };
  }
}
