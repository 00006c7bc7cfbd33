/**
 * Represents a value that Terraform does not know yet, because it is decided during apply.
 *
 * It is registered under a global key, so that two copies of this package share it.
 */
export const UNKNOWN: unique symbol = Symbol.for("trivet.unknown");

export type Unknown = typeof UNKNOWN;
