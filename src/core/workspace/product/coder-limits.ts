import { isObject, type Properties } from "../../json/plain-json";
import { type Path, wireName } from "../../schema";

/**
 * The lengths of columns in coder's database, in characters, by resource type and argument in Terraform's names. What
 * coder's provider checks itself is left out. Terraform applies the build, and then coder fails it.
 *
 * @see https://github.com/coder/coder/blob/v2.30.0/coderd/database/dump.sql
 */
const lengths: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  agent: {
    dir: 4096,
    "metadata.key": 127,
    "metadata.display_name": 127,
    "metadata.script": 65_535,
  },
  // Without a display name, coder stores the slug as one.
  app: { slug: 64, icon: 256, command: 65_534, url: 65_534 },
  metadata: { icon: 256, "item.key": 1024, "item.value": 65_536 },
};

/** Integers that coder stores with 64 bits. */
const longIntegers = new Set(["agent.metadata.interval", "agent.metadata.timeout"]);
const maximum = 2 ** 31 - 1;

/** The longest name in Terraform, in characters, of an agent or a resource. */
export const longestName = 64;

/** Explains that a name is too long. cdktf derives names from the IDs of nested constructs. */
export const tooLongName = (name: string, what: string): string =>
  `would be the ${what} ${JSON.stringify(name)} on the platform, whose name must be at most ${longestName} characters long (got ${name.length}): shorten the construct IDs, or call overrideLogicalId`;

const longestLabel = 63;

/**
 * Returns the label of an app's host name if it is too long.
 *
 * @param workspace the name of the workspace; by default as short as possible, like that of the owner
 * @see https://github.com/coder/coder/blob/v2.30.0/coderd/workspaceapps/appurl/appurl.go
 */
export function longLabel(slug: string, workspace = "w", owner = "o"): string | undefined {
  const label = [slug, workspace, owner].join("--");
  return label.length > longestLabel ? label : undefined;
}

/** Types that coder does not store as resources of a workspace. */
const notStored = new Set(["agent", "agent_instance", "app", "metadata", "script"]);

/** Checks whether coder stores a resource with its name, of whatever provider. */
export const isStoredResource = (type: string, prefix: string): boolean =>
  !type.startsWith(prefix) || !notStored.has(type.slice(prefix.length));

interface StoredProblem {
  readonly path: Path;
  readonly message: string;
}

/**
 * Finds values that do not fit into coder's database.
 *
 * @param type without its prefix
 * @param values with Terraform's names, or with those of constructs
 */
export function storedProblems(
  type: string,
  values: Properties,
  isUnknown: (value: unknown) => boolean = () => false,
): readonly StoredProblem[] {
  return leaves(values, [], isUnknown).flatMap(([path, value]) => {
    const name = terraformName(path);
    const message = problemOf(type, name, value);
    const hasName = [values["displayName"], values["display_name"]].some(
      (one) => (one ?? "") !== "",
    );
    if (message === undefined || (name === "slug" && hasName)) return [];
    const cure = name === "slug" ? ": shorten it, or set a display name" : "";
    return [{ path, message: message + cure }];
  });
}

function problemOf(type: string, name: string, value: unknown): string | undefined {
  if (typeof value === "string") {
    const limit = lengths[type]?.[name];
    const length = Array.from(value).length;
    if (value.includes("\0")) return "must not contain the character NUL, which coder cannot store";
    return limit !== undefined && length > limit
      ? `must be at most ${limit} characters long for coder's database (got ${length})`
      : undefined;
  }
  if (typeof value !== "number" && typeof value !== "bigint") return undefined;
  return (value > maximum || value < -maximum - 1) && !longIntegers.has(`${type}.${name}`)
    ? `must be an integer of at most 32 bits for coder, which changes others silently (got ${value})`
    : undefined;
}

/** The dotted name of an argument in Terraform, without indices: `metadata.display_name` for `metadatas[0].displayName`. */
const terraformName = (path: Path): string =>
  path
    .filter((step) => typeof step === "string")
    .map((step) => step.replace(/^(metadata|item)s$/, "$1"))
    .map((step) => wireName(step))
    .join(".");

function leaves(
  value: unknown,
  path: Path,
  isUnknown: (value: unknown) => boolean,
): readonly (readonly [Path, unknown])[] {
  if (isUnknown(value)) return [];
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    return list.flatMap((each, at) => leaves(each, [...path, at], isUnknown));
  }
  return isObject(value)
    ? Object.entries(value).flatMap(([key, each]) => leaves(each, [...path, key], isUnknown))
    : [[path, value]];
}
