/** Where a rule was seen, by running coder's server or provider, or read in the sources of the version that has it. */
type Seen =
  { readonly server: string } | { readonly provider: string } | { readonly sources: "server" };

/** A rule of coder, or a feature that not every version has. */
interface PlatformRule {
  /** What coder does, as in `parameters are evaluated before Terraform runs`. */
  readonly rule: string;
  /** The first version of coder with the rule. @default each version with version 2 of the provider */
  readonly since?: string;
  readonly seen: Seen;
}

const server: Seen = { server: "2.26" };
const provider: Seen = { provider: "2.20" };
const sources: Seen = { sources: "server" };

/**
 * The rules of coder that checks depend on, with the version that they were seen on. `docs/guide/coder.md` lists
 * them too.
 */
export const platformRules = {
  hiddenApps: { rule: "apps can be hidden", since: "2.16", seen: server },
  devContainers: { rule: "agents start dev containers", since: "2.21", seen: server },
  /** @see https://github.com/coder/preview */
  previews: {
    rule: "parameters, presets and tags are evaluated before Terraform runs",
    since: "2.24",
    seen: server,
  },
  /** @see https://github.com/coder/coder/pull/18844 */
  presets: {
    rule: "an import checks the values of each preset; as of 2.31, only of those with prebuilds",
    since: "2.25",
    seen: server,
  },
  taskPrompts: {
    rule: "AI tasks need neither `sidebarApp` nor a parameter for the prompt",
    since: "2.28",
    seen: sources,
  },
  /** @see https://github.com/coder/coder/pull/21858 */
  prebuiltPresets: {
    rule: "an import evaluates the template for each preset with prebuilds, which must set all required parameters",
    since: "2.31",
    seen: sources,
  },
  /** @see https://github.com/coder/coder/pull/21517 */
  innerParts: {
    rule: "the agents inside dev containers have apps, variables and scripts",
    since: "2.31",
    seen: sources,
  },
  deprecatedTasks: { rule: "AI tasks are deprecated", since: "2.34", seen: sources },
  scriptOrder: { rule: "scripts have an order", since: "2.39", seen: sources },
  archive: { rule: "the archive of a template has at most 1 MiB", seen: server },
  variableFiles: {
    rule: "variables in native files are strings, numbers or lists of strings",
    seen: server,
  },
  stateFile: { rule: "the state of a build is in `terraform.tfstate`", seen: server },
  nameLength: { rule: "names of agents and resources have at most 64 characters", seen: server },
  stored: {
    rule: "strings have a limited length and no NUL, and integers have 32 bits",
    seen: { server: "2.30" },
  },
  appSlug: { rule: "the slug of an app has no capitals", seen: provider },
  idleConflicts: {
    rule: "an argument conflicts even if it is false or an empty string",
    seen: provider,
  },
  scriptTimeout: { rule: "the timeout of a script is not 0", seen: provider },
  metadataResource: { rule: "metadata needs the ID of a resource", seen: provider },
  volumePaths: {
    rule: "the path of a volume is absolute on the provisioner's operating system",
    seen: provider,
  },
  validatedDefault: {
    rule: "a parameter without a value is validated as an empty string",
    seen: provider,
  },
  presetSchedules: { rule: "schedules of a preset are compared as numbers", seen: provider },
  removedSecret: { rule: "there is no data source for secrets", seen: provider },
  replacedResources: {
    rule: "a resource is replaced when any of its arguments changes",
    seen: provider,
  },
} as const satisfies Readonly<Record<string, PlatformRule>>;

/** A rule that older versions of the platform do not have. */
export type DatedRule = {
  [Name in PlatformRuleName]: (typeof platformRules)[Name] extends { readonly since: string }
    ? Name
    : never;
}[PlatformRuleName];

/** Checks whether a version is known, and older than a rule. */
export const isOlder = (version: string | undefined, rule: DatedRule): boolean =>
  version !== undefined && isBefore(version, platformRules[rule].since);

/** Compares the major and minor version, which are all that requirements contain. */
export function isBefore(version: string, least: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number.parseFloat);
  const [leastMajor = 0, leastMinor = 0] = least.split(".").map(Number.parseFloat);
  return major === leastMajor ? minor < leastMinor : major < leastMajor;
}

/** A version of the platform, such as `2.28` or `2.28.0-rc.1`. */
export const platformVersion = /^\d+\.\d+(\.\d+)?(-[\dA-Za-z.-]+)?(\+[\dA-Za-z.-]+)?$/;

export type PlatformRuleName = keyof typeof platformRules;

/** Formats where a rule was seen: `as of coder 2.24, seen with 2.26`. */
export function asSeen(name: PlatformRuleName): string {
  const { since, seen }: PlatformRule = platformRules[name];
  if ("provider" in seen) return `seen with coder's provider ${seen.provider}`;
  if ("sources" in seen) return `as of coder ${since ?? "2"}, read in its sources`;
  return since === undefined
    ? `seen with coder ${seen.server}`
    : `as of coder ${since}, seen with ${seen.server}`;
}

/** Adds to a message where its rule was seen. */
export const withVersion = (message: string, name: PlatformRuleName): string =>
  /\(got [^()]*\)$/.test(message)
    ? `${message.slice(0, -1)}; ${asSeen(name)})`
    : `${message} (${asSeen(name)})`;
