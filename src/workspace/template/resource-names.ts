import { TerraformResource } from "cdktf";
import type { StackContext, StackFinding, StackMember } from "../../construct";
import { coderSeverity } from "./coder-severity";
import { prefixOf } from "./terraform-type";

/** How long a name in Terraform may be, in characters, for the platform's database (as of coder 2.26). */
export const maximumLength = 64;

/** What is wrong with a name that is too long. cdktf derives names from the IDs of nested constructs. */
export const tooLongName = (name: string, what: string): string =>
  `would be the ${what} ${JSON.stringify(name)} on the platform, whose name must be at most ${maximumLength} characters long, as of coder 2.26 (got ${name.length}): shorten the construct IDs, or call overrideLogicalId`;

/** The platform does not store these as resources of a workspace. */
const notStored = new Set(["agent", "agent_instance", "app", "metadata", "script"]);

/** The platform stores the names of all resources, also those of other providers, and the machine's. */
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
    const isStored = !type.startsWith(prefix) || !notStored.has(type.slice(prefix.length));
    if (!isStored || name.length <= maximumLength) continue;
    yield {
      construct,
      finding: {
        ...coderSeverity(construct),
        path: [],
        message: `${element.node.path}: ${tooLongName(name, "resource")}`,
      },
    };
  }
}
