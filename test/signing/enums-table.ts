/** The spec's words, and the facts' where the spec shows none, by the enumeration in the package. */
export const words: Readonly<Record<string, readonly string[]>> = {
  AttestationEntryType: ["intoto", "dsse"],
  Conflict: ["APPEND", "REPLACE", "SKIPSAME"],
  PredicateType: ["custom", "slsaprovenance", "spdx", "spdxjson", "cyclonedx", "link", "vuln"],
  SignatureFormat: ["legacy", "bundle", "both"],
};
