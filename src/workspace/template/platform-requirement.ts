import type { Declaration } from "../../schema";
import { aiTask } from "../ai-task/declare";
import { app } from "../app/declare";
import { task } from "../task/declare";
import { devcontainer } from "../devcontainer/declare";
import { externalAgent } from "../external-agent/declare";
import { metadata } from "../metadata/declare";

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

/** Something that not every platform can do. */
export interface PlatformRequirement {
  /** What it is, as in `apps that are hidden need version 2.16 of the platform`. */
  readonly feature: string;
  readonly declaration: Declaration;
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
    declaration: app,
    attribute: "hidden",
    use: "true",
    need: { version: "2.16" },
  },
  {
    feature: "dev containers",
    declaration: devcontainer,
    use: "stands",
    need: { version: "2.21" },
  },
  {
    feature: "the prompts of AI tasks",
    declaration: aiTask,
    attribute: "prompt",
    use: "read",
    need: { version: "2.28" },
  },
  {
    feature: "the prompts of tasks",
    declaration: task,
    attribute: "prompt",
    use: "read",
    need: { version: "2.28" },
  },
  {
    feature: "daily costs",
    declaration: metadata,
    attribute: "dailyCost",
    use: "given",
    need: { licence: "enterprise" },
  },
  {
    feature: "external agents",
    declaration: externalAgent,
    use: "stands",
    need: { licence: "premium" },
  },
  {
    feature: "apps that are shared",
    declaration: app,
    attribute: "share",
    use: "given",
    need: { isPermittedShare: true },
  },
  {
    feature: "apps with a subdomain",
    declaration: app,
    attribute: "subdomain",
    use: "true",
    need: { wildcardHost: true },
    isAdvice: true,
  },
];
