import type { Breach, ResourceRule } from "../../schema";

const doc = "is allowed only with the format `legacy`: bundles use the provider's URL";

type Name = "fulcioUrl" | "rekorUrl";

/**
 * Rejects a resource's own service URLs with bundles: they would be ignored, and the signature would be
 * published in the public log.
 */
export const urlsForLegacyOnly: ResourceRule<Name | "signatureFormat"> = {
  code: "CONFLICT",
  severity: "error",
  inputs: ["fulcioUrl", "rekorUrl", "signatureFormat"],
  doc: (label) => `each of \`${label("fulcioUrl")}\` and \`${label("rekorUrl")}\` ${doc}`,
  broken: (values): Breach<Name>[] => {
    const format = values["signatureFormat"];
    if (format !== "bundle" && format !== "both") return [];
    const names: readonly Name[] = ["fulcioUrl", "rekorUrl"];
    return names
      .filter((name) => (values[name] ?? "") !== "")
      .map((name) => ({ name, message: `${doc} (the format is "${format}")` }));
  },
};
