import { isRecord } from "../../json/plain-json";
import {
  attributeReferences,
  isToken,
  referencesIn,
  secretOf,
  type StackContext,
  type StackFinding,
  type StackMember,
} from "../../construct";
import { warning } from "../../schema";
import { isOf } from "./terraform-type";

const shownSecret = warning(
  "metadata-shown-secret",
  "metadata shows a secret to everybody who can open the workspace's page",
);

/** Warns of secrets in metadata, which everyone who can open the workspace's page can see. */
export function* shownSecrets(
  members: readonly StackMember[],
  context: StackContext,
): Generator<StackFinding> {
  let owners: ReadonlyMap<string, StackMember> | undefined;
  for (const member of members) {
    const { construct, values } = member;
    if (!isOf(member, "workspace_metadata") || !Array.isArray(values["items"])) continue;
    for (const [index, item] of values["items"].entries()) {
      if (!isItem(item) || (item.sensitive ?? false) !== false || !isToken(item.value)) continue;
      owners ??= byAddress(members, context);
      // Cheaper than resolving the attributes of every value.
      if (!referencesIn(construct, item.value).some(({ address }) => owners?.has(address)))
        continue;
      for (const { address, attribute, outside } of attributeReferences(construct, item.value)) {
        const owner = outside === undefined ? owners.get(address) : undefined;
        const secret = owner && secretOf(owner.type.declaration, attribute);
        if (owner === undefined || secret === undefined) continue;
        yield {
          construct,
          finding: shownSecret.at(
            ["items", index, "value"],
            `shows the ${secret} of ${owner.construct.node.path}, a secret, on the workspace's page: remove it, or set \`sensitive: true\` on the item`,
          ),
        };
        break;
      }
    }
  }
}

function byAddress(
  members: readonly StackMember[],
  context: StackContext,
): ReadonlyMap<string, StackMember> {
  const graph = context.references();
  return new Map(
    members
      .filter(({ type }) => secretOf(type.declaration, undefined) !== undefined)
      .map((member) => [graph.of(member.construct)?.address ?? "", member]),
  );
}

interface Item {
  readonly value?: unknown;
  readonly sensitive?: unknown;
}

const isItem = (item: unknown): item is Item => isRecord(item) && !isToken(item);
