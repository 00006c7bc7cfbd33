import type { StackFinding, StackMember } from "../../construct";
import { formatOf, isA, literalOf, providerOf } from "./member";

/**
 * Rejects settings of a resource that its provider's settings contradict: URLs that would be ignored because of a key
 * or of the format, and an identity where nothing is logged. The plan finds these later, too.
 */
export function* ignoredSettings(members: readonly StackMember[]): Generator<StackFinding> {
  for (const member of members) {
    if (!isA(member, "signing_sign") && !isA(member, "signing_attest")) continue;
    const provider = providerOf(member, members);
    if (provider === undefined) continue;
    for (const [name, message] of contradictions(member, provider)) {
      yield {
        construct: member.construct,
        finding: { code: "CONFLICT", severity: "error", path: [name], message },
      };
    }
  }
}

function* contradictions(
  member: StackMember,
  provider: StackMember,
): Generator<readonly [name: string, message: string]> {
  const { path } = provider.construct.node;
  const isUnlogged = provider.values["transparencyLog"] === false;
  const isSet = (name: string): boolean => (literalOf(member, name) ?? "") !== "";
  const own = member.values["key"] ?? "";
  if (own === "" && (literalOf(provider, "key") ?? "") !== "" && isSet("fulcioUrl")) {
    yield [
      "fulcioUrl",
      `would be ignored, because \`key\` of ${path} signs, and a key needs no certificate: remove the URL`,
    ];
  }
  if (isUnlogged && isSet("rekorUrl")) {
    yield [
      "rekorUrl",
      `would be ignored, because \`transparencyLog\` of ${path} is false: remove the URL`,
    ];
  }
  if (isUnlogged && own === "" && (provider.values["key"] ?? "") === "") {
    yield [
      "key",
      `is required, because \`transparencyLog\` of ${path} is false, and signatures with an identity are always logged: set a key, or remove \`transparencyLog\``,
    ];
  }
  // The declaration checks a resource that sets its own format.
  const hasOwnFormat = (member.values["signatureFormat"] ?? null) !== null;
  const format = hasOwnFormat ? undefined : formatOf(member, provider);
  if (format !== "bundle" && format !== "both") return;
  for (const name of ["fulcioUrl", "rekorUrl"].filter(isSet)) {
    yield [
      name,
      `is allowed only with the format \`legacy\`, but \`defaultSignatureFormat\` of ${path} is "${format}": set the URL on the provider, or set \`signatureFormat\` on this resource`,
    ];
  }
}
