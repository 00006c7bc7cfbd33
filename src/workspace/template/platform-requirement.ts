import type { RuledType } from "./terraform-type";

/** What a platform must have or allow. */
export type PlatformNeed =
  /** At least a version, such as `2.16`. */
  | { readonly version: string }
  /** At least a licence; a premium one includes what an enterprise one does. */
  | { readonly licence: "enterprise" | "premium" }
  /** A wildcard host. */
  | { readonly wildcardHost: true }
  /** The level must be among those that the whole site permits. */
  | { readonly isPermittedShare: true };

/** What is known of the platform that a template is for; nothing of what is undefined. */
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
   * Who an app may be shared with, by the restriction of the whole site.
   *
   * @default there is no restriction
   */
  readonly permittedShareLevels?: readonly string[] | undefined;
  /**
   * Whether administrators have set up a wildcard host, which apps with a subdomain need.
   *
   * @default not known
   */
  readonly wildcardHost?: boolean | undefined;
}

/** The licences, each of which includes those before it. */
export const platformLicences = ["none", "enterprise", "premium"] as const;

/** What licence a platform has; a premium one includes what an enterprise one does. */
export type PlatformLicence = (typeof platformLicences)[number];

/** Something that not every platform can do. */
export interface PlatformRequirement {
  /** What it is, as in `apps that are hidden need version 2.16 of the platform`. */
  readonly feature: string;
  /** The type that it is about. */
  readonly type: RuledType;
  /** @default the construct itself */
  readonly attribute?: string;
  /** Which use of the attribute counts: any value, `true`, or that its value is read. */
  readonly use: "stands" | "given" | "true" | "read";
  readonly need: PlatformNeed;
  /** Whether the platform takes it all the same, and does without. @default false */
  readonly isAdvice?: boolean;
}

/** Everything that not every platform can do; `docs/guide/template-checks.md` lists it too. */
export const platformRequirements: readonly PlatformRequirement[] = [
  {
    feature: "apps that are hidden",
    type: "workspace_app",
    attribute: "hidden",
    use: "true",
    need: { version: "2.16" },
  },
  {
    feature: "dev containers",
    type: "workspace_devcontainer",
    use: "stands",
    need: { version: "2.21" },
  },
  {
    feature: "the prompts of AI tasks",
    type: "workspace_ai_task",
    attribute: "prompt",
    use: "read",
    need: { version: "2.28" },
  },
  {
    feature: "the prompts of tasks",
    type: "workspace_task",
    attribute: "prompt",
    use: "read",
    need: { version: "2.28" },
  },
  {
    feature: "daily costs",
    type: "workspace_metadata",
    attribute: "dailyCost",
    use: "given",
    need: { licence: "enterprise" },
  },
  {
    feature: "external agents",
    type: "workspace_external_agent",
    use: "stands",
    need: { licence: "premium" },
  },
  {
    feature: "apps that are shared",
    type: "workspace_app",
    attribute: "share",
    use: "given",
    need: { isPermittedShare: true },
  },
  {
    feature: "apps with a subdomain",
    type: "workspace_app",
    attribute: "subdomain",
    use: "true",
    need: { wildcardHost: true },
    isAdvice: true,
  },
];
