import { isDeepStrictEqual } from "node:util";
import { TerraformResource } from "cdktf";
import { isRecord, parsedJson } from "../../json/plain-json";
import {
  isToken,
  withExpressions,
  type StackContext,
  type StackFinding,
  type StackMember,
} from "../../construct";
import { warning } from "../../schema";
import { predicateTypeUri } from "../predicate/predicate-type";
import { formatOf, isA, literalOf, providerOf } from "./member";

const rivalPredicates = warning(
  "attest-rival-predicates",
  "two resources attest different predicates of the same type about the same image, and replace each other's",
);

interface Statement {
  readonly member: StackMember;
  readonly provider: StackMember | undefined;
  readonly format: string;
  readonly image: string;
  readonly type: string;
  /** The JSON value, or the checksum of the file. */
  readonly body: unknown;
}

/**
 * Warns about two resources that attest different predicates of the same type about the same image: unless
 * they append, each replaces the other's attestation at every apply.
 */
export function* rivalAttestations(
  members: readonly StackMember[],
  context: StackContext,
): Generator<StackFinding> {
  const attestations = members.filter((each) => isA(each, "signing_attest") && isAlone(each));
  if (attestations.length < 2) return;
  const images = new Images(members, context);
  const seen: Statement[] = [];
  for (const member of attestations) {
    const own = statementsOf(member, members, images);
    const rival = seen.find((earlier) => own.some((each) => areRivals(earlier, each)));
    seen.push(...own);
    if (rival === undefined) continue;
    const { path } = rival.member.construct.node;
    const message = `should have another type than in ${path}, which attests a different predicate of this type (${rival.type}) about the same image: each would replace the other at every apply; set \`conflict: "APPEND"\` on both to keep both`;
    yield { construct: member.construct, finding: rivalPredicates.at(["predicates"], message) };
  }
}

/** True if a resource exists exactly once: with `count` or `for_each` it may be an alternative. */
function isAlone({ construct: { resource } }: StackMember): boolean {
  if (!TerraformResource.isTerraformResource(resource)) return false;
  return resource.count === undefined && resource.forEach === undefined;
}

function areRivals(a: Statement, b: Statement): boolean {
  const isApart =
    new Set([a.format, b.format]).size === 2 && ![a.format, b.format].includes("both");
  return (
    a.image === b.image &&
    a.type === b.type &&
    a.provider === b.provider &&
    !isApart &&
    typeof a.body === typeof b.body &&
    !isDeepStrictEqual(a.body, b.body)
  );
}

function statementsOf(
  member: StackMember,
  members: readonly StackMember[],
  images: Images,
): Statement[] {
  const provider = providerOf(member, members);
  const format = formatOf(member, provider);
  const image = images.of(member);
  const { conflict, predicates } = member.values;
  if (conflict === "APPEND" || isToken(conflict)) return [];
  if (format === undefined || image === undefined || !Array.isArray(predicates)) return [];
  return predicates.flatMap((predicate: unknown) => {
    const type = predicateTypeUri(stringAt(predicate, "type") ?? "");
    const body = bodyOf(predicate);
    if (type === undefined || body === undefined) return [];
    return [{ member, provider, format, image, type, body }];
  });
}

function bodyOf(predicate: unknown): unknown {
  const json = stringAt(predicate, "json");
  if (json !== undefined) return parsedJson(json);
  const files = isRecord(predicate) ? predicate["files"] : undefined;
  return stringAt(Array.isArray(files) ? files[0] : files, "sha256");
}

function stringAt(values: unknown, name: string): string | undefined {
  const value = isRecord(values) ? values[name] : undefined;
  return typeof value === "string" && !isToken(value) ? value : undefined;
}

/** Finds the image of each construct, following the references of earlier signatures and attestations. */
class Images {
  readonly #byAddress = new Map<string, StackMember>();

  constructor(members: readonly StackMember[], context: StackContext) {
    const graph = context.references();
    for (const member of members) {
      const address = graph.of(member.construct)?.address;
      if (address !== undefined) this.#byAddress.set(address, member);
    }
  }

  /** The image reference, or the expression that yields it. */
  of(member: StackMember, depth = 0): string | undefined {
    const literal = literalOf(member, "image");
    if (literal !== undefined) return literal;
    const expression = withExpressions(member.construct, member.values["image"]);
    if (typeof expression !== "string" || depth > 100) return undefined;
    const [, address = ""] =
      /^\$\{([\w.-]+)\.(?:signed_ref|attested_ref|id)\}$/.exec(expression) ?? [];
    const before = this.#byAddress.get(address);
    const isPassedOn =
      before !== undefined && (isA(before, "signing_sign") || isA(before, "signing_attest"));
    return isPassedOn ? this.of(before, depth + 1) : expression;
  }
}
