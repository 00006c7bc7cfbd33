import { readdir, readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { isConfiguration, isOverride } from "../../core/hcl/configuration-blocks";
import { isObject, parsedJson, type Properties, propertiesOf } from "../../core/json/plain-json";
import {
  bindingPath,
  type ConstructOf,
  constructPlace,
  nativeConstructs,
} from "../../planner/changes/construct-place";
import { merged } from "../../planner/offline-plan/body";
import { joinedFiles, jsonOfNative } from "../../planner/offline-plan/native-syntax";
import { CommandError } from "../invocation/failure";
import type { Stack } from "./manifest";

/** The facts in a stack's configuration. */
export interface StackConfiguration {
  /** The backend, if it is one with which a service runs Terraform, so that plans cannot be saved. */
  readonly remoteBackend: "cloud" | "remote" | undefined;
  /** The backend that keeps the state elsewhere, such as `s3`; undefined if the state is a file of this machine. */
  readonly sharedBackend: string | undefined;
  /** True if it uses modules, which `terraform init` fetches. */
  readonly hasModules: boolean;
  /** The path of the state, if the stack has the local backend. */
  readonly stateFile: string | undefined;
  readonly constructOf: ConstructOf;
  /** The addresses of its resources and data sources, without the keys of instances. */
  readonly addresses: readonly string[];
  /** Returns the path of a resource's binding in the app, such as `dev/edge/Default`. */
  readonly fullPathOf: (address: string) => string | undefined;
}

/** @param content the configuration of the stack, in Terraform's JSON syntax */
export function configurationOf(
  content: Properties,
  { name, folder, positions }: Pick<Stack, "name" | "folder" | "positions">,
): StackConfiguration {
  const terraform = merged(content["terraform"]);
  const backend = merged(terraform["backend"]);
  const { path } = merged(backend["local"]);
  const sharedBackend =
    "cloud" in terraform ? "cloud" : Object.keys(backend).find((name) => name !== "local");
  return {
    remoteBackend: remoteBackends.find((name) => name === sharedBackend),
    sharedBackend,
    stateFile:
      sharedBackend === undefined
        ? resolve(folder, typeof path === "string" ? path : "terraform.tfstate")
        : undefined,
    hasModules: Object.keys(propertiesOf(content["module"])).length > 0,
    constructOf: (address) => constructPlace(content, { path: name, positions }, address),
    addresses: [...addressesIn(content["resource"], ""), ...addressesIn(content["data"], "data.")],
    fullPathOf: (address) => bindingPath(content, address).path,
  };
}

const remoteBackends = ["cloud", "remote"] as const;

const addressesIn = (blocks: unknown, prefix: string): readonly string[] =>
  Object.entries(propertiesOf(blocks)).flatMap(([type, named]) =>
    Object.keys(propertiesOf(named)).map((name) => `${prefix}${type}.${name}`),
  );

/**
 * Reads the configuration in a folder as Terraform does: all files, in JSON or native syntax, as one object in Terraform's
 * JSON syntax.
 *
 * @throws CommandError if a file is not JSON
 */
export async function readStackContent(folder: string): Promise<Properties> {
  const names = (await readdir(folder)).filter(isConfiguration);
  const files = await Promise.all(
    names.sort(byOrder).map(async (name) => contentOf(join(folder, name))),
  );
  return withConstructPaths(joinedFiles(files));
}

/** Terraform reads the files that override others last. */
const byOrder = (one: string, other: string): number =>
  Number(isOverride(one)) - Number(isOverride(other)) || (one < other ? -1 : 1);

async function contentOf(path: string): Promise<Properties> {
  const text = await readFile(path, "utf8");
  if (!path.endsWith(".json")) return jsonOfNative(text);
  const json = parsedJson(text);
  if (json !== undefined) return propertiesOf(json);
  throw new CommandError(
    `${path} is not JSON.`,
    `Synthesize the stack again, or remove ${basename(path)}.`,
  );
}

/**
 * Adds the paths of constructs to the blocks that a synthesis has written in native syntax. All other blocks contain them.
 */
function withConstructPaths(content: Properties): Properties {
  const paths = propertiesOf(propertiesOf(content["//"])[nativeConstructs]);
  const data = { ...propertiesOf(content["data"]) };
  for (const [address, path] of Object.entries(paths)) {
    const [, type = "", name = ""] = address.split(".");
    const named = propertiesOf(data[type]);
    const body = named[name];
    if (!isObject(body)) continue;
    data[type] = { ...named, [name]: { ...body, "//": { metadata: { path } } } };
  }
  return Object.keys(paths).length === 0 ? content : { ...content, data };
}
