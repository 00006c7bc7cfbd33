import type { predicateTypes } from "./predicate-type";

/** Predicate types with a short name. You can also use any URI. */
export const PredicateType = {
  /** Any string, with the time of the attestation. */
  CUSTOM: "custom",
  /** The origin of an image: where and how it was built (SLSA provenance v0.2). */
  SLSA_PROVENANCE: "slsaprovenance",
  /** The contents of an image, in SPDX. */
  SPDX: "spdx",
  /** The contents of an image, in SPDX as JSON. */
  SPDX_JSON: "spdxjson",
  /** The contents of an image, in CycloneDX. */
  CYCLONEDX: "cyclonedx",
  /** A step of a supply chain (in-toto link). */
  LINK: "link",
  /** The result of a vulnerability scan. */
  VULN: "vuln",
} as const satisfies Readonly<Record<string, keyof typeof predicateTypes>>;

/** One of the values of {@link PredicateType}. */
export type PredicateType = keyof typeof predicateTypes;
