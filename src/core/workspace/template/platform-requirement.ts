import { type Warning, warning } from "../../schema";
import { platformRules } from "../product/platform-versions";
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
  readonly attribute?: string;
  /** The kind of use: the construct exists, the attribute is set, is `true`, or is read. */
  readonly use: "present" | "set" | "true" | "read";
  readonly need: PlatformNeed;
  /** The warning, if the platform accepts it anyway, without the feature. @default it is an error */
  readonly warning?: Warning;
}

/** All features that not every platform supports. `docs/guide/template-checks.md` lists them too. */
export const platformRequirements: readonly PlatformRequirement[] = [
  {
    feature: "hidden apps",
    type: "workspace_app",
    attribute: "hidden",
    use: "true",
    need: { version: platformRules.hiddenApps.since },
  },
  {
    feature: "dev containers",
    type: "workspace_devcontainer",
    use: "present",
    need: { version: platformRules.devContainers.since },
  },
  {
    feature: "AI tasks without `sidebarApp`",
    type: "workspace_ai_task",
    attribute: "appId",
    use: "set",
    need: { version: platformRules.taskPrompts.since },
  },
  {
    feature: "the prompts of AI tasks",
    type: "workspace_ai_task",
    attribute: "prompt",
    use: "read",
    need: { version: platformRules.taskPrompts.since },
  },
  {
    feature: "the prompts of tasks",
    type: "workspace_task",
    attribute: "prompt",
    use: "read",
    need: { version: platformRules.taskPrompts.since },
  },
  {
    feature: "the IDs of tasks",
    type: "workspace_task",
    attribute: "id",
    use: "read",
    need: { version: platformRules.taskPrompts.since },
  },
  {
    feature: "the order of scripts",
    type: "workspace_script_order",
    use: "present",
    need: { version: platformRules.scriptOrder.since },
    warning: warning(
      "script-order-version",
      "an order of scripts needs a newer version of the platform, and has no effect without it",
    ),
  },
  {
    feature: "daily costs",
    type: "workspace_metadata",
    attribute: "dailyCost",
    use: "set",
    need: { licence: "enterprise" },
  },
  {
    feature: "external agents",
    type: "workspace_external_agent",
    use: "present",
    need: { licence: "premium" },
  },
  {
    feature: "shared apps",
    type: "workspace_app",
    attribute: "share",
    use: "set",
    need: { isPermittedShare: true },
  },
  {
    feature: "apps with a subdomain",
    type: "workspace_app",
    attribute: "subdomain",
    use: "true",
    need: { wildcardHost: true },
    warning: warning(
      "app-subdomain-host",
      "an app with a subdomain needs a wildcard host, which the platform does not have",
    ),
  },
  {
    feature: "external logins",
    type: "workspace_external_auth",
    attribute: "id",
    use: "set",
    need: { isKnownLogin: true },
  },
];
