/** The values of each enumeration: those of the spec, and of the facts where the spec shows none. */
export const enumTables: Readonly<Record<string, readonly string[]>> = {
  AttestationEntryType: ["intoto", "dsse"],
  Conflict: ["APPEND", "REPLACE", "SKIPSAME"],
  PredicateType: ["custom", "slsaprovenance", "spdx", "spdxjson", "cyclonedx", "link", "vuln"],
  SignatureFormat: ["legacy", "bundle", "both"],
};
