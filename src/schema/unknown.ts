/**
 * Stands for a value that Terraform does not know yet, because it is only decided while applying.
 *
 * It is registered under a global key, so that two copies of this package agree on it.
 */
export const UNKNOWN: unique symbol = Symbol.for("trivet.unknown");

/** The type of {@link UNKNOWN}. */
export type Unknown = typeof UNKNOWN;
