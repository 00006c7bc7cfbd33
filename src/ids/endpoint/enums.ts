import type { severities } from "./declare";

/** The lowest severity of a threat that an endpoint alerts on. */
export const EndpointSeverity = {
  /** Not set. The service refuses an endpoint with this value. */
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
} as const satisfies { readonly [Name in keyof typeof severities]: Name };

/** One of the values of {@link EndpointSeverity}. */
export type EndpointSeverity = (typeof EndpointSeverity)[keyof typeof EndpointSeverity];
