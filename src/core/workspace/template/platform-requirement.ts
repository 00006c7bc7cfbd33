import { type Warning, warning } from "../../schema";
import { type DatedRule, platformRules } from "../product/platform-versions";
import type { RuledType } from "./terraform-type";

/** A requirement on the platform: a feature, or a permission. */
export type PlatformNeed =
  /** A minimum version, such as `2.16`. */
  | { readonly version: string }
  /** A minimum licence; premium includes enterprise. */
  | { readonly licence: "enterprise" | "premium" }
  /** A wildcard host. */
  | { readonly wildcardHost: true }
  /** The share level must be one that the whole site permits. */
  | { readonly isPermittedShare: true }
  /** The login must be one that administrators have set up. */
  | { readonly isKnownLogin: true };

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

/** A feature that not every platform supports. */
export interface PlatformRequirement {
  /** Name of the feature, as in `needs version 2.16 of the platform, for hidden apps`. */
  readonly feature: string;
  readonly type: RuledType;
  /** The attribute that uses the feature. @default the construct itself */
  readonly attribute?: string | undefined;
  /** The kind of use: the construct exists, the attribute is set, is `true`, or is read. */
  readonly use: "present" | "set" | "true" | "read";
  readonly need: PlatformNeed;
  /** The warning, if the platform accepts it anyway, without the feature. @default it is an error */
  readonly warning?: Warning | undefined;
}

const since = (rule: DatedRule): PlatformNeed => ({ version: platformRules[rule].since });
const taskPrompts = since("taskPrompts");

const orderVersion = warning(
  "script-order-version",
  "an order of scripts needs a newer version of the platform, and has no effect without it",
);

const subdomainHost = warning(
  "app-subdomain-host",
  "an app with a subdomain needs a wildcard host, which the platform does not have",
);

const rows: readonly (readonly [
  feature: string,
  type: RuledType,
  use: PlatformRequirement["use"],
  attribute: string | undefined,
  need: PlatformNeed,
  warning?: Warning,
])[] = [
  ["hidden apps", "workspace_app", "true", "hidden", since("hiddenApps")],
  ["dev containers", "workspace_devcontainer", "present", undefined, since("devContainers")],
  ["AI tasks without `sidebarApp`", "workspace_ai_task", "set", "appId", taskPrompts],
  ["the prompts of AI tasks", "workspace_ai_task", "read", "prompt", taskPrompts],
  ["the prompts of tasks", "workspace_task", "read", "prompt", taskPrompts],
  ["the IDs of tasks", "workspace_task", "read", "id", taskPrompts],
  [
    "the order of scripts",
    "workspace_script_order",
    "present",
    undefined,
    since("scriptOrder"),
    orderVersion,
  ],
  ["daily costs", "workspace_metadata", "set", "dailyCost", { licence: "enterprise" }],
  ["external agents", "workspace_external_agent", "present", undefined, { licence: "premium" }],
  ["shared apps", "workspace_app", "set", "share", { isPermittedShare: true }],
  [
    "apps with a subdomain",
    "workspace_app",
    "true",
    "subdomain",
    { wildcardHost: true },
    subdomainHost,
  ],
  ["external logins", "workspace_external_auth", "set", "id", { isKnownLogin: true }],
];

/** All features that not every platform supports. `docs/guide/template-checks.md` lists them too. */
export const platformRequirements: readonly PlatformRequirement[] = rows.map(
  ([feature, type, use, attribute, need, advice]) => ({
    feature,
    type,
    use,
    attribute,
    need,
    warning: advice,
  }),
);
