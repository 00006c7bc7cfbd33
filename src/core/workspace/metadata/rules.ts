import { TerraformModule, TerraformResource } from "cdktf";
import {
  referencesIn,
  type ElementReferences,
  type ReferenceGraph,
  type StackContext,
  type StackFinding,
  type StackMember,
} from "../../construct";
import { type Finding, warning } from "../../schema";
import { dependenciesIn } from "../template/dependencies";
import { presenceOf, Taken } from "../template/presence";
import { prefixOf } from "../template/terraform-type";

const notShown = warning(
  "metadata-not-shown",
  "metadata refers to no resource of another provider, so the platform does not show it",
);
const otherResource = warning(
  "metadata-other-resource",
  "the platform shows metadata with another resource than the one in `resourceId`",
);

/**
 * Checks the targets of metadata. The platform attaches metadata to the nearest resource of another provider
 * in Terraform's graph, and refuses two for the same resource, even if they describe different instances.
 */
export function* metadataTarget(
  members: readonly StackMember[],
  context: StackContext,
): Generator<StackFinding> {
  if (members.length === 0) return;
  const graph = context.references();
  const taken = new Taken();
  for (const member of members) {
    const { construct, values } = member;
    const resourceId = values["resourceId"] ?? "";
    if (resourceId === "") continue;
    const targets = referencesIn(construct, resourceId).map(({ address }) => graph.at(address));
    const found = nearestTo(member, graph);
    // A target that the stack does not have is in a file in HCL beside it.
    if (found === "hidden" || targets.includes(undefined)) continue;
    if (found === undefined) {
      const message =
        "should refer to a resource of another provider in this stack: the platform finds none and does not show the metadata";
      yield { construct, finding: notShown.at(["resourceId"], message) };
      continue;
    }
    const meant = targets.flatMap((each) =>
      each !== undefined && isForeign(each, prefixOf(member)) ? [each.address] : [],
    );
    if (meant.length > 0 && !meant.includes(found)) {
      const message = `is not the resource that the platform uses: it shows this metadata with ${found} instead of ${meant.join(", ")}, because the metadata also depends on ${found}`;
      yield { construct, finding: otherResource.at(["resourceId"], message) };
    }
    const presence = presenceOf(member);
    const { instances = 1 } = presence;
    const other = taken.take(found, presence, construct.node.path);
    if (instances > 1) {
      const message = `must be at most 1: every instance would be metadata of ${found}, and the platform accepts only one (got ${instances})`;
      yield { construct, finding: duplicate("count", message) };
    } else if (other !== undefined) {
      const message = `must differ from that of ${other}: ${found} can have only one metadata`;
      yield { construct, finding: duplicate("resourceId", message) };
    }
  }
}

const duplicate = (name: string, message: string): Finding => ({
  code: "DUPLICATE",
  severity: "error",
  path: [name],
  message,
});

/**
 * Returns the address of the nearest resource, following dependencies as the platform does; "hidden" if it
 * may be inside a module.
 */
function nearestTo(member: StackMember, graph: ReferenceGraph): string | undefined {
  const dependencies = dependenciesIn(graph);
  const prefix = prefixOf(member);
  const start = graph.of(member.construct);
  const seen = new Set<string>();
  let level = start === undefined ? [] : [start];
  while (level.length > 0) {
    const next: ElementReferences[] = [];
    for (const entry of level) {
      for (const address of dependencies.edges(entry)) {
        const to = graph.at(address);
        if (to === undefined || seen.has(address)) continue;
        seen.add(address);
        next.push(to);
      }
    }
    if (next.some(({ element }) => element instanceof TerraformModule)) return "hidden";
    const [found] = next
      .filter((each) => isForeign(each, prefix))
      .map(({ address }) => address)
      .sort();
    if (found !== undefined) return found;
    level = next;
  }
  return undefined;
}

const isForeign = ({ element }: ElementReferences, prefix: string): boolean =>
  TerraformResource.isTerraformResource(element) &&
  !element.terraformResourceType.startsWith(prefix);
