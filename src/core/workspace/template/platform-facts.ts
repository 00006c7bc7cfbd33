import {
  type StackContext,
  product as trivet,
  productOf,
  type StackFinding,
} from "../../construct";
import type { Finding, Path, Warning } from "../../schema";
import {
  type DatedRule,
  isOlder,
  type PlatformRuleName,
  withVersion,
} from "../product/platform-versions";

/** The known facts about the platform of a template. Undefined means unknown. */
export interface Platform {
  /**
   * Version of the platform, such as `2.28.0`.
   *
   * @default any version
   */
  readonly version?: string | undefined;
  /**
   * Licence of the platform.
   *
   * @default any licence
   */
  readonly licence?: PlatformLicence | undefined;
  /**
   * The share levels that the whole site permits for apps.
   *
   * @default there is no restriction
   */
  readonly permittedShareLevels?: readonly string[] | undefined;
  /**
   * True if administrators have set up a wildcard host, which apps with a subdomain need.
   *
   * @default not known
   */
  readonly wildcardHost?: boolean | undefined;
  /**
   * The IDs of the external logins that administrators have set up.
   *
   * @default not known
   */
  readonly externalAuth?: readonly string[] | undefined;
}

/** The licences. Each includes those before it. */
export const platformLicences = ["none", "enterprise", "premium"] as const;

/** The licence of a platform; premium includes enterprise. */
export type PlatformLicence = (typeof platformLicences)[number];

/** Returns the platform of a provider construct. It is not part of the declared settings. */
export function platformOf(construct: object): Platform | undefined {
  if (!("platform" in construct)) return undefined;
  const { platform } = construct;
  return typeof platform === "object" && platform !== null ? platform : undefined;
}

/** Returns the version of the platform that a stack is for, if it is set and older than a rule. */
export function olderPlatform(context: StackContext, rule: DatedRule): string | undefined {
  return context
    .nodesOf()
    .map((construct) => platformOf(construct)?.version)
    .find((each) => isOlder(each, rule));
}

/** Checks whether a construct is for this package's provider. */
export const isOurs = (construct: StackFinding["construct"]): boolean =>
  productOf(construct, "workspace") === trivet;

/**
 * Creates findings about values that coder's platform refuses, which say where the rule was seen: errors for coder,
 * warnings for this package's provider.
 */
export const coderSeverity = (
  construct: StackFinding["construct"],
  warning: Warning,
  rule: PlatformRuleName,
): Pick<Warning, "at"> => ({
  at: (path, message) =>
    (isOurs(construct) ? warning : refusal).at(path, withVersion(message, rule)),
});

/** Creates findings about values that are refused. */
export const refusal: Pick<Warning, "at"> = {
  at: (path: Path, message: string): Finding => ({
    code: "INVALID_ARGUMENT",
    severity: "error",
    path,
    message,
  }),
};
