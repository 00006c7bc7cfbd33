import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isConfiguration } from "../../core/hcl/configuration-blocks";
import { parsedJson, type Properties, propertiesOf } from "../../core/json/plain-json";
import { bodies } from "../../planner/offline-plan/body";
import { jsonOfNative } from "../../planner/offline-plan/native-syntax";

interface RequiredProvider {
  readonly file: string;
  readonly source: string;
  /** The version constraint, such as `0.1.0` or `~> 0.1`. */
  readonly version: string;
}

/**
 * Returns the requirements in the configuration files of a folder. Files that cannot be read require nothing.
 */
export async function requiredProviders(folder: string): Promise<readonly RequiredProvider[]> {
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names.sort().map(async (name) => {
      if (!isConfiguration(name)) return [];
      const file = join(folder, name);
      const text = await readFile(file, "utf8").catch(() => "");
      const content = name.endsWith(".json") ? parsedJson(text) : jsonOfNative(text);
      return requirementsIn(propertiesOf(content)).map((entry) => ({ file, ...entry }));
    }),
  );
  return found.flat();
}

const requirementsIn = (content: Properties): readonly Omit<RequiredProvider, "file">[] =>
  bodies(content["terraform"])
    .flatMap((block) => bodies(block["required_providers"]))
    .flatMap((required) => Object.values(required).map(propertiesOf))
    .flatMap(({ source, version }) =>
      typeof source === "string" && typeof version === "string" ? [{ source, version }] : [],
    );

/**
 * One provider in a `.terraform.lock.hcl`.
 *
 * @see https://developer.hashicorp.com/terraform/language/files/dependency-lock
 */
export interface LockedProvider {
  readonly source: string;
  readonly version: string;
  /** The versions that the configuration required when it was locked, such as `~> 0.1`. */
  readonly constraints: string | undefined;
  /** With their schemes: `h1:…`, `zh:…`. */
  readonly hashes: readonly string[];
}

/** Returns the providers in a folder's lock file; an empty list without one. */
export async function lockedProviders(folder: string): Promise<readonly LockedProvider[]> {
  return readLockFile(await readFile(join(folder, ".terraform.lock.hcl"), "utf8").catch(() => ""));
}

export function readLockFile(content: string): readonly LockedProvider[] {
  const blocks = content.matchAll(/^provider\s+"([^"]+)"\s*\{([^}]*)\}/gm);
  return [...blocks].map(([, source = "", body = ""]) => ({
    source,
    version: /^\s*version\s*=\s*"([^"]+)"/m.exec(body)?.[1] ?? "",
    constraints: /^\s*constraints\s*=\s*"([^"]+)"/m.exec(body)?.[1],
    hashes: [...body.matchAll(/"((?:h1|zh):[^"]+)"/g)].map(([, hash = ""]) => hash),
  }));
}

/**
 * Checks whether the lock file was written for this requirement. The locked version may also meet a later
 * requirement, but Terraform decides that.
 *
 * @param version the version constraint, such as `0.1.0` or `~> 0.1`
 */
export function isLockedFor(version: string, { constraints = "" }: LockedProvider): boolean {
  const known = partsOf(constraints);
  return partsOf(version).every((part) => known.includes(part));
}

const partsOf = (constraints: string): readonly string[] =>
  constraints.split(",").map((part) => part.replaceAll(/\s+/g, "").replace(/^=/, ""));
