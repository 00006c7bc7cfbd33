import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isRecord } from "../../json/is-object";
import { product } from "./product";

const versions = new Map<string, string | undefined>();

/**
 * The version of a provider that belongs to this package: the one that the build wrote down, else the
 * package's own; undefined when neither can be found, as in an application that bundles this package.
 */
export function providerVersion(name: string): string | undefined {
  if (!versions.has(name)) versions.set(name, versionIn(packageRoot(__dirname), name));
  return versions.get(name);
}

/** The version that a build of the package at `root` has; see {@link providerVersion}. */
export function versionIn(root: string | undefined, provider: string): string | undefined {
  if (root === undefined) return undefined;
  return (
    textIn(join(root, "dist", "providers", "versions.json"), provider) ??
    textIn(join(root, "package.json"), "version")
  );
}

function textIn(file: string, name: string): string | undefined {
  let content: string;
  try {
    content = readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
  const parsed: unknown = JSON.parse(content);
  const value = isRecord(parsed) && Object.hasOwn(parsed, name) ? parsed[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** The folder of the package: the first one above this file with our manifest. */
function packageRoot(from: string): string | undefined {
  const manifest = join(from, "package.json");
  if (existsSync(manifest)) return textIn(manifest, "name") === product.name ? from : undefined;
  const parent = dirname(from);
  return parent === from ? undefined : packageRoot(parent);
}
