import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parsedJson, type Properties, propertiesOf } from "../json/plain-json";

/** One of our packages, as its package.json describes it. */
export interface OwnPackage {
  readonly root: string;
  /** Its name, such as `@trivet/constructs`. */
  readonly name: string;
  readonly version: string;
  /** The oldest version of Node.js that runs it and its products, such as `20.20`. */
  readonly minimumNode: string;
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly engines?: { readonly node?: string };
}

/** Returns the package that contains this code: the nearest of our packages above this file. */
export function ownPackage(): OwnPackage {
  for (let root = __dirname; ; root = dirname(root)) {
    const { name, version = "unknown", engines } = manifestIn(root) as Manifest;
    if (name?.startsWith("@trivet/") === true) {
      return { root, name, version, minimumNode: engines?.node?.replace(/^>=/, "") ?? "20" };
    }
    if (dirname(root) === root) throw new Error(`no package.json of Trivet above ${__dirname}`);
  }
}

/** Returns the folder of the package that contains this code. */
export const packageRoot = (): string => ownPackage().root;

/** Reads the package.json in a folder. It is empty if there is none, or if it is no JSON object. */
export function manifestIn(folder: string): Properties {
  const file = join(folder, "package.json");
  return propertiesOf(existsSync(file) ? parsedJson(readFileSync(file, "utf8")) : undefined);
}
