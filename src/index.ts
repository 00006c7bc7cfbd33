// The public API: one namespace for each slice.
export { acknowledge, construct, ValidationError } from "./construct";
export * as ids from "./ids";
export type { Finding, FindingCode, Path, Severity } from "./schema";
export * as signing from "./signing";
export * as workspace from "./workspace";
