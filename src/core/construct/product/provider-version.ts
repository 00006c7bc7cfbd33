import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isRecord, parseTrustedJson } from "../../json/plain-json";
import { entryPoints } from "../library/library";

const versions = new Map<string, string | undefined>();

/**
 * Returns the version of a provider of this package: the version that the build recorded, otherwise that of
 * the package. Undefined if neither can be found, as in an application that bundles this package.
 */
export function providerVersion(name: string): string | undefined {
  if (!versions.has(name)) versions.set(name, versionIn(packageRoot(__dirname), name));
  return versions.get(name);
}

/** Returns the provider version of a build of the package at `root`; see {@link providerVersion}. */
export function versionIn(root: string | undefined, provider: string): string | undefined {
  if (root === undefined) return undefined;
  return (
    stringIn(join(root, "dist", "providers", "versions.json"), provider) ??
    stringIn(join(root, "package.json"), "version")
  );
}

function stringIn(file: string, name: string): string | undefined {
  let content: string;
  try {
    content = readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
  const parsed = parseTrustedJson(content);
  const value = isRecord(parsed) && Object.hasOwn(parsed, name) ? parsed[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** Returns the package's folder: the nearest one above this file that contains our package.json. */
function packageRoot(from: string): string | undefined {
  const manifest = join(from, "package.json");
  if (existsSync(manifest))
    return stringIn(manifest, "name") === entryPoints.cdktf ? from : undefined;
  const parent = dirname(from);
  return parent === from ? undefined : packageRoot(parent);
}
