import type { ReferenceGraph, StackContext, StackFinding, StackMember } from "../../construct";
import { warning } from "../../schema";
import { parseDestination, parseDigestImage } from "../oci/reference/image-name";
import { isA, literalOf } from "./member";

const copyNotAwaited = warning(
  "image-copy-not-awaited",
  "a resource refers to an image that the stack copies, but does not wait for the copy",
);

/**
 * Warns about a resource that refers, by a literal string, to an image that a copy in the stack creates: it does
 * not wait for the copy.
 */
export function* copiedImage(
  members: readonly StackMember[],
  context: StackContext,
): Generator<StackFinding> {
  const copies = new Map<string, StackMember>();
  for (const member of members) {
    const copied = isA(member, "signing_copy") ? copiedOf(member) : undefined;
    if (copied !== undefined) copies.set(copied, member);
  }
  if (copies.size === 0) return;
  for (const member of members) {
    const name = isA(member, "signing_copy") ? "source" : "image";
    const copy = copies.get(keyOf(literalOf(member, name)) ?? "");
    if (copy === undefined || copy === member || waits(member, copy, context.references()))
      continue;
    const { path } = copy.construct.node;
    const message = `is an image that ${path} copies, but this resource does not wait for the copy: use its \`copiedRef\` instead`;
    yield { construct: member.construct, finding: copyNotAwaited.at([name], message) };
  }
}

function copiedOf(copy: StackMember): string | undefined {
  const source = parseDigestImage(literalOf(copy, "source") ?? "");
  const destination = parseDestination(literalOf(copy, "destination") ?? "");
  if ("problem" in source || "problem" in destination) return undefined;
  return key({ ...destination, digest: source.digest });
}

function keyOf(image: string | undefined): string | undefined {
  const reference = image === undefined ? undefined : parseDigestImage(image);
  return reference === undefined || "problem" in reference ? undefined : key(reference);
}

const key = (image: { registry: string; path: string; digest: string }): string =>
  `${image.registry.toLowerCase()}/${image.path}@${image.digest}`;

/** True if a construct refers to another one, directly or through others. */
function waits(from: StackMember, to: StackMember, graph: ReferenceGraph): boolean {
  const target = graph.of(to.construct)?.address;
  const seen = new Set<string>();
  const open = [...(graph.of(from.construct)?.references ?? [])];
  for (let address = open.pop(); address !== undefined; address = open.pop()) {
    if (address === target) return true;
    if (seen.has(address)) continue;
    seen.add(address);
    open.push(...(graph.at(address)?.references ?? []));
  }
  return false;
}
