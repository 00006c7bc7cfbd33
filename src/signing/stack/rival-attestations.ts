import { isDeepStrictEqual } from "node:util";
import { TerraformResource } from "cdktf";
import { isRecord } from "../../json/is-object";
import {
  isToken,
  withExpressions,
  type StackContext,
  type StackFinding,
  type StackMember,
} from "../../construct";
import { predicateTypeUri } from "../predicate/predicate-type";
import { formatOf, isA, literalOf, providerOf } from "./member";

/** A statement that an attestation makes. */
interface Statement {
  readonly member: StackMember;
  readonly provider: StackMember | undefined;
  readonly format: string;
  readonly image: string;
  readonly type: string;
  /** Of a JSON its value, of a file its sum. */
  readonly body: unknown;
}

/**
 * Of one type there is one statement of ours about an image, unless it is appended: two resources that
 * say different things take the place of each other's at every apply.
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
    const message = `should be another type than in ${path}, which attests something else of this type (${rival.type}) about the same image: each would take the place of the other's at every apply; give both \`conflict: "APPEND"\` to keep both`;
    yield {
      construct: member.construct,
      finding: { code: "ADVICE", severity: "warning", path: ["predicates"], message },
    };
  }
}

/** One that is made several times, or perhaps not at all, may be an alternative. */
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
    const type = predicateTypeUri(textAt(predicate, "type") ?? "");
    const body = bodyOf(predicate);
    if (type === undefined || body === undefined) return [];
    return [{ member, provider, format, image, type, body }];
  });
}

function bodyOf(predicate: unknown): unknown {
  const json = textAt(predicate, "json");
  if (json !== undefined) return JSON.parse(json) as unknown;
  const files = isRecord(predicate) ? predicate["files"] : undefined;
  return textAt(Array.isArray(files) ? files[0] : files, "sha256");
}

function textAt(values: unknown, name: string): string | undefined {
  const value = isRecord(values) ? values[name] : undefined;
  return typeof value === "string" && !isToken(value) ? value : undefined;
}

/** Which image a construct is about, through what was signed and attested before. */
class Images {
  readonly #byAddress = new Map<string, StackMember>();

  constructor(members: readonly StackMember[], context: StackContext) {
    const graph = context.references();
    for (const member of members) {
      const address = graph.of(member.construct)?.address;
      if (address !== undefined) this.#byAddress.set(address, member);
    }
  }

  /** The image's name, or the expression that gives it. */
  of(member: StackMember, depth = 0): string | undefined {
    const literal = literalOf(member, "image");
    if (literal !== undefined) return literal;
    const text = withExpressions(member.construct, member.values["image"]);
    if (typeof text !== "string" || depth > 100) return undefined;
    const [, address = ""] = /^\$\{([\w.-]+)\.(?:signed_ref|attested_ref|id)\}$/.exec(text) ?? [];
    const before = this.#byAddress.get(address);
    const isPassedOn =
      before !== undefined && (isA(before, "signing_sign") || isA(before, "signing_attest"));
    return isPassedOn ? this.of(before, depth + 1) : text;
  }
}
