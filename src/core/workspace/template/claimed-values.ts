import { TerraformResource } from "cdktf";
import {
  type AttributeReference,
  isToken,
  productOf,
  readReferences,
  type ReferenceGraph,
  type StackContext,
  type StackFinding,
  type StackMember,
} from "../../construct";
import { isRecord } from "../../json/plain-json";
import { knownElements, type Path, warning, wireName } from "../../schema";
import { presenceOf } from "./presence";
import { isOf, prefixOf } from "./terraform-type";

const claimReplaces = warning(
  "agent-claim-replaces",
  "the claim of a prebuilt workspace changes a value for which the provider replaces an agent",
);

/** What a claim changes, by data source; undefined means all of it. */
const claimed = new Map<string, ReadonlySet<string> | undefined>([
  ["workspace_owner", undefined],
  ["task", undefined],
  ["workspace", new Set(["name", "is_prebuild", "is_prebuild_claim", "prebuild_count"])],
  ["external_auth", new Set(["access_token"])],
  ["secret", new Set(["value"])],
]);

/**
 * Warns of an agent that the claim of a prebuilt workspace replaces. The machine then has the token of an agent
 * that no longer exists.
 */
export function* claimedValues(
  members: readonly StackMember[],
  context: StackContext,
): Generator<StackFinding> {
  const preset = members.find(
    (member) => isOf(member, "workspace_workspace_preset") && hasPrebuilds(member),
  );
  if (preset === undefined) return;
  for (const member of members) {
    if (!isOf(member, "workspace_agent") || presenceOf(member).instances === 0) continue;
    const { construct, values } = member;
    const claim = new Claim(prefixOf(member), context.references());
    for (const [path, value] of valueLeaves(values)) {
      if (!isToken(value) || !replaces(member, String(path[0]))) continue;
      const changed = claim.changedIn(construct, value);
      if (changed === undefined) continue;
      yield {
        construct,
        finding: claimReplaces.at(
          path,
          `contains ${changed}, which changes when a user claims a workspace prebuilt for ${preset.construct.node.path}. The provider then replaces the agent, and the machine keeps the token of the old one: pass the value with \`addEnv\` or in a script, or add the attribute to \`ignoreChanges\` in the agent's \`lifecycle\``,
        ),
      };
    }
  }
}

/** Checks whether workspaces may be built ahead of time for a preset. */
function hasPrebuilds(member: StackMember): boolean {
  return (
    presenceOf(member).instances !== 0 &&
    knownElements(member.values["prebuilds"]).some(
      ([, { instances, scheduling }]) => instances !== 0 || knownElements(scheduling).length > 0,
    )
  );
}

/** Checks whether the provider replaces the resource when this attribute changes. */
function replaces({ construct, type: { declaration } }: StackMember, name: string): boolean {
  const attribute = declaration.attributes[name];
  const { replacesChanged = false } =
    productOf(construct, "workspace").providers["workspace"] ?? {};
  if (!replacesChanged && attribute?.requiresReplace !== true) return false;
  const { resource } = construct;
  const ignored = TerraformResource.isTerraformResource(resource)
    ? resource.lifecycle?.ignoreChanges
    : undefined;
  if (ignored === "all") return false;
  const wire = wireName(name, attribute ?? declaration.blocks[name]);
  return !(ignored ?? []).some((each) => each.split(/[.[]/, 1)[0] === wire);
}

class Claim {
  readonly #prefix: string;
  readonly #graph: ReferenceGraph;

  constructor(prefix: string, graph: ReferenceGraph) {
    this.#prefix = prefix;
    this.#graph = graph;
  }

  /** Finds a reference in a value to something that a claim changes, also through locals and `forEach`. */
  changedIn(scope: StackMember["construct"], value: unknown): string | undefined {
    const followed = new Set<string>();
    const found = readReferences(scope, value);
    for (const { address, attribute, outside } of found) {
      if (outside !== undefined) continue;
      if (this.#isClaimed(address, attribute)) {
        return attribute === undefined ? address : `${address}.${attribute}`;
      }
      if (followed.has(address)) continue;
      followed.add(address);
      found.push(...this.#behind(scope, address));
    }
    return undefined;
  }

  /** Returns what a local, or the elements of a `forEach`, read. */
  #behind(scope: StackMember["construct"], address: string): readonly AttributeReference[] {
    if (address.startsWith("each.")) {
      const { resource } = scope;
      const elements = TerraformResource.isTerraformResource(resource)
        ? resource.forEach
        : undefined;
      return readReferences(scope, elements?._getForEachExpression());
    }
    const local = address.startsWith("local.") ? this.#graph.at(address)?.element : undefined;
    return local === undefined ? [] : readReferences(local, local.toTerraform());
  }

  #isClaimed(address: string, attribute: string | undefined): boolean {
    const [data, type = ""] = address.split(".");
    if (data !== "data" || !type.startsWith(this.#prefix)) return false;
    const noun = type.slice(this.#prefix.length);
    if (!claimed.has(noun)) return false;
    const changing = claimed.get(noun);
    return changing === undefined || attribute === undefined || changing.has(attribute);
  }
}

/** Returns the values inside maps and lists with their paths, and tokens among the keys of maps. */
export function* valueLeaves(
  value: unknown,
  path: Path = [],
): Generator<readonly [path: Path, value: unknown]> {
  if (isRecord(value) && !isToken(value)) {
    const isList = Array.isArray(value);
    for (const [name, each] of Object.entries(value)) {
      if (isToken(name)) yield [path, name];
      const key = isToken(name) ? "(unknown)" : name;
      yield* valueLeaves(each, [...path, isList ? Number(name) : key]);
    }
  } else yield [path, value];
}
