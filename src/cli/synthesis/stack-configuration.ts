import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { bindingPath, type ConstructOf, constructPlace } from "../../changes/construct-place";
import { parseTrustedJson, type Properties, propertiesOf } from "../../json/plain-json";
import type { Stack } from "./manifest";

/** The facts in a stack's configuration. A configuration in HCL gives none. */
export interface StackConfiguration {
  /** The backend, if it is one with which another service runs Terraform, so that plans cannot be saved as usual. */
  readonly remoteBackend: "cloud" | "remote" | undefined;
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

export async function readConfiguration(stack: Stack): Promise<StackConfiguration> {
  const text = stack.file.endsWith(".json") ? await readFile(stack.file, "utf8") : "{}";
  return configurationOf(parseTrustedJson(text), stack);
}

/** @param json the parsed configuration of the stack */
export function configurationOf(
  json: unknown,
  { name, folder, positions }: Pick<Stack, "name" | "folder" | "positions">,
): StackConfiguration {
  const content = propertiesOf(json);
  const terraform = propertiesOf(content["terraform"]);
  const backend = propertiesOf(terraform["backend"]);
  const { path } = propertiesOf(backend["local"]);
  return {
    remoteBackend: remoteBackendIn(terraform, backend),
    stateFile: typeof path === "string" ? resolve(folder, path) : undefined,
    hasModules: Object.keys(propertiesOf(content["module"])).length > 0,
    constructOf: (address) => constructPlace(content, { path: name, positions }, address),
    addresses: [...addressesIn(content["resource"], ""), ...addressesIn(content["data"], "data.")],
    fullPathOf: (address) => bindingPath(content, address).path,
  };
}

function remoteBackendIn(
  terraform: Properties,
  backend: Properties,
): "cloud" | "remote" | undefined {
  if ("cloud" in terraform) return "cloud";
  return "remote" in backend ? "remote" : undefined;
}

const addressesIn = (blocks: unknown, prefix: string): readonly string[] =>
  Object.entries(propertiesOf(blocks)).flatMap(([type, named]) =>
    Object.keys(propertiesOf(named)).map((name) => `${prefix}${type}.${name}`),
  );
