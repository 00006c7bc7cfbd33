import type { StackFinding, StackMember } from "../../construct";
import { formatOf, isA, literalOf, providerOf } from "./member";

/**
 * Rejects a resource's own service URLs if its provider's default format writes bundles: they would be
 * ignored.
 */
export function* urlsForLegacyProvider(members: readonly StackMember[]): Generator<StackFinding> {
  for (const member of members) {
    if (!isA(member, "signing_sign") && !isA(member, "signing_attest")) continue;
    // A resource that sets its own format is checked by its declaration.
    if ((member.values["signatureFormat"] ?? null) !== null) continue;
    const provider = providerOf(member, members);
    const format = formatOf(member, provider);
    if (format !== "bundle" && format !== "both") continue;
    for (const name of ["fulcioUrl", "rekorUrl"] as const) {
      if ((literalOf(member, name) ?? "") === "") continue;
      const path = provider?.construct.node.path ?? "the provider";
      const message = `is allowed only with the format \`legacy\`, but \`defaultSignatureFormat\` of ${path} is "${format}": set the URL on the provider, or set \`signatureFormat\` on this resource`;
      yield {
        construct: member.construct,
        finding: { code: "CONFLICT", severity: "error", path: [name], message },
      };
    }
  }
}
