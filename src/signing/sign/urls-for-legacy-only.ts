import type { Breach, ResourceRule } from "../../schema";

const doc = "may be given with the format `legacy` only: bundles take the provider's address";

type Name = "fulcioUrl" | "rekorUrl";

/**
 * A service of one's own beside a bundle would be ignored, and the signature be published in the
 * public log.
 */
export const urlsForLegacyOnly: ResourceRule<Name | "signatureFormat"> = {
  code: "CONFLICT",
  severity: "error",
  inputs: ["fulcioUrl", "rekorUrl", "signatureFormat"],
  doc: (label) => `\`${label("fulcioUrl")}\`, \`${label("rekorUrl")}\` ${doc}`,
  broken: (values): Breach<Name>[] => {
    const format = values["signatureFormat"];
    if (format !== "bundle" && format !== "both") return [];
    const names: readonly Name[] = ["fulcioUrl", "rekorUrl"];
    return names
      .filter((name) => (values[name] ?? "") !== "")
      .map((name) => ({ name, message: `${doc} (the format is "${format}")` }));
  },
};
