import type { severities } from "./declare";

/** The lowest severity of a threat that an endpoint alerts on. */
export const EndpointSeverity = {
  /** Not set. The service refuses an endpoint with it. */
  SEVERITY_UNSPECIFIED: "SEVERITY_UNSPECIFIED",
  /** Informational alerts. */
  INFORMATIONAL: "INFORMATIONAL",
  /** Low severity alerts. */
  LOW: "LOW",
  /** Medium severity alerts. */
  MEDIUM: "MEDIUM",
  /** High severity alerts. */
  HIGH: "HIGH",
  /** Critical severity alerts. */
  CRITICAL: "CRITICAL",
} as const satisfies { readonly [Word in keyof typeof severities]: Word };

/** One of the words of {@link EndpointSeverity}. */
export type EndpointSeverity = (typeof EndpointSeverity)[keyof typeof EndpointSeverity];
