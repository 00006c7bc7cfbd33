// The public API: one namespace for each slice.
export { acknowledge, construct, ValidationError } from "./core/construct";
export * as ids from "./core/ids";
export type { Finding, FindingCode, Path, Severity } from "./core/schema";
export * as signing from "./core/signing";
export * as workspace from "./core/workspace";
