import type { StackFinding, StackMember } from "../../construct";
import { isA, literalOf, providerOf } from "./member";

/**
 * Rejects what a resource and its provider contradict each other in about keys and the log. The plan finds the
 * same, but later: URLs that a key leaves unused, and an identity where nothing is logged.
 */
export function* unusedWithKey(members: readonly StackMember[]): Generator<StackFinding> {
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
  if (!isUnlogged) return;
  if (isSet("rekorUrl")) {
    yield [
      "rekorUrl",
      `would be ignored, because \`transparencyLog\` of ${path} is false: remove the URL`,
    ];
  }
  if (own === "" && (provider.values["key"] ?? "") === "") {
    yield [
      "key",
      `is required, because \`transparencyLog\` of ${path} is false, and signatures with an identity are always logged: set a key, or remove \`transparencyLog\``,
    ];
  }
}
