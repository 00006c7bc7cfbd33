import type { predicateTypes } from "./predicate-type";

/** Types of predicates that have a short name; any URI will do as well. */
export const PredicateType = {
  /** Any text, with the time at which it was attested. */
  CUSTOM: "custom",
  /** Where and how an image was built (SLSA provenance v0.2). */
  SLSA_PROVENANCE: "slsaprovenance",
  /** What is in an image, as SPDX. */
  SPDX: "spdx",
  /** What is in an image, as SPDX in JSON. */
  SPDX_JSON: "spdxjson",
  /** What is in an image, as CycloneDX. */
  CYCLONEDX: "cyclonedx",
  /** A step of a supply chain (in-toto link). */
  LINK: "link",
  /** The result of a scan for vulnerabilities. */
  VULN: "vuln",
} as const satisfies Readonly<Record<string, keyof typeof predicateTypes>>;

/** One of the words of {@link PredicateType}. */
export type PredicateType = keyof typeof predicateTypes;
