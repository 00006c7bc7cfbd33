import { TerraformProvider } from "cdktf";
import {
  attributeReferences,
  isToken,
  type StackContext,
  type StackFinding,
  type StackMember,
} from "../../construct";
import { type Warning, warning, wireName } from "../../schema";
import { type DatedRule, isBefore, platformRules } from "../product/platform-versions";
import { type Platform, platformLicences, platformOf } from "./platform-facts";
import { presenceOf } from "./presence";
import { isOf, type RuledType } from "./terraform-type";

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

/** A feature that not every platform supports. */
interface PlatformRequirement {
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

const needs = (
  feature: string,
  type: RuledType,
  use: PlatformRequirement["use"],
  attribute: string | undefined,
  need: PlatformNeed,
  advice?: Warning,
): PlatformRequirement => ({ feature, type, use, attribute, need, warning: advice });

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

/** All features that not every platform supports. `docs/guide/template-checks.md` lists them too. */
export const platformRequirements: readonly PlatformRequirement[] = [
  needs("hidden apps", "workspace_app", "true", "hidden", since("hiddenApps")),
  needs("dev containers", "workspace_devcontainer", "present", undefined, since("devContainers")),
  needs("AI tasks without `sidebarApp`", "workspace_ai_task", "set", "appId", taskPrompts),
  needs("the prompts of AI tasks", "workspace_ai_task", "read", "prompt", taskPrompts),
  needs("the prompts of tasks", "workspace_task", "read", "prompt", taskPrompts),
  needs("the IDs of tasks", "workspace_task", "read", "id", taskPrompts),
  needs(
    "the order of scripts",
    "workspace_script_order",
    "present",
    undefined,
    since("scriptOrder"),
    orderVersion,
  ),
  needs("daily costs", "workspace_metadata", "set", "dailyCost", { licence: "enterprise" }),
  needs("external agents", "workspace_external_agent", "present", undefined, {
    licence: "premium",
  }),
  needs("shared apps", "workspace_app", "set", "share", { isPermittedShare: true }),
  needs(
    "apps with a subdomain",
    "workspace_app",
    "true",
    "subdomain",
    { wildcardHost: true },
    subdomainHost,
  ),
  needs("external logins", "workspace_external_auth", "set", "id", { isKnownLogin: true }),
];

/** Finds features in the stack that the platform set on its provider does not support. */
export function* platformRequirement(
  members: readonly StackMember[],
  context: StackContext,
): Generator<StackFinding> {
  const targets = new Map<TerraformProvider | undefined, Target>();
  for (const { construct } of members) {
    const target = platformOf(construct);
    if (target === undefined) continue;
    const { resource } = construct;
    if (!TerraformProvider.isTerraformProvider(resource)) continue;
    const named = { ...target, path: construct.node.path };
    targets.set(resource, named);
    if (resource.alias === undefined) targets.set(undefined, named);
  }
  if (targets.size === 0) return;
  for (const member of members) {
    const target = targets.get(providerOf(member));
    if (target === undefined) continue;
    for (const requirement of platformRequirements) {
      if (!isOf(member, requirement.type)) continue;
      const lack = lackOf(requirement, target, member.values);
      if (lack === undefined || !isUsed(requirement, member, context)) continue;
      const path = requirement.attribute === undefined ? [] : [requirement.attribute];
      yield {
        construct: member.construct,
        finding: requirement.warning?.at(path, lack) ?? {
          code: "REQUIRES",
          severity: "error",
          path,
          message: lack,
        },
      };
    }
  }
}

interface Target extends Platform {
  readonly path: string;
}

function providerOf({ construct }: StackMember): TerraformProvider | undefined {
  const { resource } = construct;
  if (TerraformProvider.isTerraformProvider(resource)) return resource;
  return "provider" in resource ? resource.provider : undefined;
}

/** Returns a message about what the target lacks; undefined if it lacks nothing, or if that is unknown. */
function lackOf(
  { feature, need, attribute = "" }: PlatformRequirement,
  { path, version, licence, permittedShareLevels, wildcardHost, externalAuth }: Target,
  values: StackMember["values"],
): string | undefined {
  const target = `the target of ${path}`;
  if ("version" in need) {
    if (version === undefined || !isBefore(version, need.version)) return undefined;
    return `needs version ${need.version} of the platform, for ${feature} (${target} is version ${version})`;
  }
  if ("licence" in need) {
    if (
      licence === undefined ||
      platformLicences.indexOf(licence) >= platformLicences.indexOf(need.licence)
    ) {
      return undefined;
    }
    const has = licence === "none" ? "has none" : `has an ${licence} one`;
    return `needs ${articles[need.licence]} ${need.licence} licence of the platform, for ${feature} (${target} ${has})`;
  }
  if ("wildcardHost" in need) {
    if (wildcardHost !== false) return undefined;
    return `needs a wildcard host on the platform, for ${feature}: users cannot open the app (${target} has none)`;
  }
  if ("isKnownLogin" in need) {
    const login = values[attribute];
    if (externalAuth === undefined || typeof login !== "string" || isToken(login)) return undefined;
    if (externalAuth.includes(login)) return undefined;
    const has = externalAuth.length === 0 ? "has none" : `has ${externalAuth.join(", ")}`;
    return `must be the ID of an external login that administrators of the platform have set up, even if it is optional: otherwise the platform refuses the template (got ${JSON.stringify(login)}, ${target} ${has})`;
  }
  const level = values[attribute];
  const permitted: readonly unknown[] | undefined = permittedShareLevels;
  // The workspace's owner may open an app on every platform.
  if (permitted === undefined || typeof level !== "string" || isToken(level)) return undefined;
  if (level === "owner" || permitted.includes(level)) return undefined;
  return `must be permitted by the platform, for ${feature} (got ${JSON.stringify(level)}, ${target} permits ${["owner", ...permitted.filter((each) => each !== "owner")].join(", ")})`;
}

const articles = { enterprise: "an", premium: "a" } as const;

function isUsed(
  { attribute = "", use }: PlatformRequirement,
  member: StackMember,
  context: StackContext,
): boolean {
  if (presenceOf(member).instances === 0) return false;
  switch (use) {
    case "present":
      return true;
    case "set":
      return (member.values[attribute] ?? null) !== null;
    case "true":
      return member.values[attribute] === true;
    case "read":
      return isRead(member, attribute, context);
  }
}

function isRead({ construct, type }: StackMember, name: string, context: StackContext): boolean {
  const graph = context.references();
  const address = graph.of(construct)?.address;
  const declared = type.declaration.attributes[name];
  if (declared === undefined) return false;
  const wire = wireName(name, declared);
  return graph
    .referrersOf(construct)
    .some(({ element }) =>
      attributeReferences(element, element.toTerraform()).some(
        (found) =>
          found.outside === undefined &&
          found.address === address &&
          (found.attribute === wire || found.attribute === undefined),
      ),
    );
}
