import { readFile } from "node:fs/promises";
import { isObject, parseTrustedJson, type Properties } from "../../json/plain-json";
import { type Place, placeIn, type Positions } from "../app-process/positions";
import type { Stack } from "./manifest";

/** What is known about the construct of a resource. */
export interface ConstructPlace extends Place {
  /** Its path in the stack, if the address does not show it. */
  readonly constructPath?: string;
}

/**
 * Returns what is known about the construct of a resource.
 *
 * @param address such as `ids_endpoint.edge` or `data.workspace_parameter.cores[0]`
 */
export type ConstructOf = (address: string) => ConstructPlace;

/** The facts in a stack's configuration. A configuration in HCL gives none. */
export interface StackConfiguration {
  /** True if another service runs Terraform, so that plans cannot be saved as usual. */
  readonly isRunElsewhere: boolean;
  /** True if it uses modules, which `terraform init` fetches. */
  readonly hasModules: boolean;
  readonly constructOf: ConstructOf;
}

export async function readConfiguration(stack: Stack): Promise<StackConfiguration> {
  const text = stack.file.endsWith(".json") ? await readFile(stack.file, "utf8") : "{}";
  return configurationOf(parseTrustedJson(text), stack);
}

/** @param json the parsed configuration of the stack */
export function configurationOf(
  json: unknown,
  { name, positions }: Pick<Stack, "name" | "positions">,
): StackConfiguration {
  const content = propertiesOf(json);
  const terraform = propertiesOf(content["terraform"]);
  return {
    isRunElsewhere: "cloud" in terraform || "remote" in propertiesOf(terraform["backend"]),
    hasModules: Object.keys(propertiesOf(content["module"])).length > 0,
    constructOf: (address) => constructPlace(content, { name, positions }, address),
  };
}

function constructPlace(
  content: Properties,
  stack: { readonly name: string; readonly positions: Positions },
  address: string,
): ConstructPlace {
  const [, data, type = "", name = ""] = /^(data\.)?([\w-]+)\.([\w-]+)/.exec(address) ?? [];
  const blocks = propertiesOf(content[data === undefined ? "resource" : "data"]);
  const block = propertiesOf(propertiesOf(blocks[type])[name]);
  const path = propertiesOf(propertiesOf(block["//"])["metadata"])["path"];
  if (typeof path !== "string") return {};
  const inStack = path.startsWith(`${stack.name}/`) ? path.slice(stack.name.length + 1) : path;
  // The child of a construct that is one resource.
  const shown = inStack.replace(/\/(Default|Resource)$/, "");
  return { ...(shown !== name && { constructPath: shown }), ...placeIn(stack.positions, path) };
}

const propertiesOf = (value: unknown): Properties => (isObject(value) ? value : {});
