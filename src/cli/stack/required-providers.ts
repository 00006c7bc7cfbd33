import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { blocksIn, stringIn } from "../../hcl/configuration-blocks";
import { isRecord, parsedJson } from "../../json/plain-json";

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
      const isJson = name.endsWith(".tf.json");
      if (!isJson && !name.endsWith(".tf")) return [];
      const file = join(folder, name);
      const text = await readFile(file, "utf8").catch(() => "");
      return (isJson ? inJson(text) : inNative(text)).map((entry) => ({ file, ...entry }));
    }),
  );
  return found.flat();
}

type Entry = Omit<RequiredProvider, "file">;

function inJson(text: string): readonly Entry[] {
  const main = parsedJson(text);
  const terraform = isRecord(main) ? main["terraform"] : undefined;
  const blocks = (Array.isArray(terraform) ? terraform : [terraform]) as readonly unknown[];
  return blocks
    .map((block) => (isRecord(block) ? block["required_providers"] : undefined))
    .flatMap((required) => (isRecord(required) ? Object.values(required) : []))
    .flatMap((entry) => {
      const { source, version } = isRecord(entry) ? entry : {};
      return typeof source === "string" && typeof version === "string" ? [{ source, version }] : [];
    });
}

/** Reads the values of an entry as literal strings: Terraform accepts nothing else. */
function inNative(text: string): readonly Entry[] {
  return blocksIn(text)
    .filter(({ type }) => type === "terraform")
    .flatMap((terraform) => blocksIn(text, terraform))
    .filter(({ type }) => type === "required_providers")
    .flatMap((required) => blocksIn(text, required))
    .flatMap((entry) => {
      const source = stringIn(text, entry, "source");
      const version = stringIn(text, entry, "version");
      return source === undefined || version === undefined ? [] : [{ source, version }];
    });
}

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
