import type { predicateTypes } from "./predicate-type";

/** Predicate types with a short name. You can also use any URI. */
export const PredicateType = {
  /** Any string, with the time of the attestation. */
  CUSTOM: "custom",
  /** Where and how an image was built (SLSA provenance v0.2). */
  SLSA_PROVENANCE: "slsaprovenance",
  /** What an image contains, in SPDX. */
  SPDX: "spdx",
  /** What an image contains, in SPDX as JSON. */
  SPDX_JSON: "spdxjson",
  /** What an image contains, in CycloneDX. */
  CYCLONEDX: "cyclonedx",
  /** A step of a supply chain (in-toto link). */
  LINK: "link",
  /** The result of a vulnerability scan. */
  VULN: "vuln",
} as const satisfies Readonly<Record<string, keyof typeof predicateTypes>>;

/** One of the values of {@link PredicateType}. */
export type PredicateType = keyof typeof predicateTypes;
