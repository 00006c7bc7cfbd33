import {
  type StackContext,
  product as trivet,
  productOf,
  type StackFinding,
} from "../../construct";
import type { Platform } from "./platform-requirement";
import type { Finding, Path, Warning } from "../../schema";

/** Returns the platform of a provider construct. It is not part of the declared settings. */
export function platformOf(construct: object): Platform | undefined {
  if (!("platform" in construct)) return undefined;
  const { platform } = construct;
  return typeof platform === "object" && platform !== null ? platform : undefined;
}

/** Returns the version of the platform that a stack is for, if it is set and lower than another version. */
export function olderPlatform(context: StackContext, version: string): string | undefined {
  return context
    .nodesOf()
    .map((construct) => platformOf(construct)?.version)
    .find((each) => each !== undefined && isBefore(each, version));
}

/** Compares the major and minor version, which are all that requirements contain. */
export function isBefore(version: string, least: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number.parseFloat);
  const [leastMajor = 0, leastMinor = 0] = least.split(".").map(Number.parseFloat);
  return major === leastMajor ? minor < leastMinor : major < leastMajor;
}

/** Checks whether a construct is for our own provider. */
export const isOurs = (construct: StackFinding["construct"]): boolean =>
  productOf(construct, "workspace") === trivet;

/** Creates findings about values that coder's platform refuses: errors for coder, warnings for our provider. */
export const coderSeverity = (
  construct: StackFinding["construct"],
  warning: Warning,
): Pick<Warning, "at"> => (isOurs(construct) ? warning : refusal);

/** Creates findings about values that are refused. */
export const refusal: Pick<Warning, "at"> = {
  at: (path: Path, message: string): Finding => ({
    code: "INVALID_ARGUMENT",
    severity: "error",
    path,
    message,
  }),
};
