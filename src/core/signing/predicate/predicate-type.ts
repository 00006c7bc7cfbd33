/**
 * Predicate types by their short names.
 *
 * @see https://github.com/in-toto/attestation/tree/main/spec/predicates
 */
export const predicateTypes = {
  custom: "https://cosign.sigstore.dev/attestation/v1",
  slsaprovenance: "https://slsa.dev/provenance/v0.2",
  spdx: "https://spdx.dev/Document",
  spdxjson: "https://spdx.dev/Document",
  cyclonedx: "https://cyclonedx.org/bom",
  link: "https://in-toto.io/Link/v1",
  vuln: "https://cosign.sigstore.dev/attestation/vuln/v1",
} as const;

/** The URI of a predicate type; undefined if the string is neither a short name nor a URI. */
export function predicateTypeUri(type: string): string | undefined {
  if (isShortName(type)) return predicateTypes[type];
  return /^[a-z][a-z\d+.-]*:\/\/[^\s/]+\S*$/i.test(type) && URL.canParse(type) ? type : undefined;
}

function isShortName(type: string): type is keyof typeof predicateTypes {
  return Object.hasOwn(predicateTypes, type);
}
