import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parsedJson, type Properties, propertiesOf } from "../json/plain-json";

/** A package of Trivet, as its package.json describes it. */
export interface OwnPackage {
  readonly root: string;
  /** Such as `@trivet/constructs`. */
  readonly name: string;
  readonly version: string;
  /** The oldest supported version of Node.js, such as `20.20`. */
  readonly minimumNode: string;
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly engines?: { readonly node?: string };
}

/** Returns the package that contains this code. */
export function ownPackage(): OwnPackage {
  for (let root = __dirname; ; root = dirname(root)) {
    const { name, version = "unknown", engines } = manifestIn(root) as Manifest;
    if (name?.startsWith("@trivet/") === true) {
      return { root, name, version, minimumNode: engines?.node?.replace(/^>=/, "") ?? "20" };
    }
    if (dirname(root) === root) throw new Error(`no package.json of Trivet above ${__dirname}`);
  }
}

export const packageRoot = (): string => ownPackage().root;

/** Reads the package.json in a folder; empty if it does not exist, or is not a JSON object. */
export function manifestIn(folder: string): Properties {
  const file = join(folder, "package.json");
  return propertiesOf(existsSync(file) ? parsedJson(readFileSync(file, "utf8")) : undefined);
}
