import type { StackFinding, StackMember } from "../../construct";
import { formatOf, isA, literalOf, providerOf } from "./member";

/** A resource may leave the format to its provider: then that one's must go with its addresses. */
export function* urlsForLegacyProvider(members: readonly StackMember[]): Generator<StackFinding> {
  for (const member of members) {
    if (!isA(member, "signing_sign") && !isA(member, "signing_attest")) continue;
    // A format of its own is a matter of the declaration.
    if ((member.values["signatureFormat"] ?? null) !== null) continue;
    const provider = providerOf(member, members);
    const format = formatOf(member, provider);
    if (format !== "bundle" && format !== "both") continue;
    for (const name of ["fulcioUrl", "rekorUrl"] as const) {
      if ((literalOf(member, name) ?? "") === "") continue;
      const path = provider?.construct.node.path ?? "the provider";
      const message = `may be given with the format \`legacy\` only, and \`defaultSignatureFormat\` of ${path} is "${format}": give the address to a provider, or \`signatureFormat\` to this resource`;
      yield {
        construct: member.construct,
        finding: { code: "CONFLICT", severity: "error", path: [name], message },
      };
    }
  }
}
