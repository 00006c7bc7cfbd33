import { readFile } from "node:fs/promises";
import { isObject, parseTrustedJson, type Properties } from "../../json/plain-json";
import type { Stack } from "./manifest";

/** The facts in a stack's configuration. A configuration in HCL gives none. */
export interface StackConfiguration {
  /** True if another service runs Terraform, so that plans cannot be saved as usual. */
  readonly isRunElsewhere: boolean;
  /** True if it uses modules, which `terraform init` fetches. */
  readonly hasModules: boolean;
  /**
   * Returns the path of a resource's construct in the stack, if the address does not show it.
   *
   * @param address such as `ids_endpoint.edge` or `data.workspace_parameter.cores[0]`
   */
  readonly constructPathOf: (address: string) => string | undefined;
}

export async function readConfiguration({ file, name }: Stack): Promise<StackConfiguration> {
  const text = file.endsWith(".json") ? await readFile(file, "utf8") : "{}";
  return configurationOf(parseTrustedJson(text), name);
}

/**
 * @param json the parsed configuration of a stack
 * @param name the stack's
 */
export function configurationOf(json: unknown, name: string): StackConfiguration {
  const content = propertiesOf(json);
  const terraform = propertiesOf(content["terraform"]);
  return {
    isRunElsewhere: "cloud" in terraform || "remote" in propertiesOf(terraform["backend"]),
    hasModules: Object.keys(propertiesOf(content["module"])).length > 0,
    constructPathOf: (address) => constructPath(content, name, address),
  };
}

function constructPath(content: Properties, stack: string, address: string): string | undefined {
  const [, data, type = "", name = ""] = /^(data\.)?([\w-]+)\.([\w-]+)/.exec(address) ?? [];
  const blocks = propertiesOf(content[data === undefined ? "resource" : "data"]);
  const block = propertiesOf(propertiesOf(blocks[type])[name]);
  const path = propertiesOf(propertiesOf(block["//"])["metadata"])["path"];
  if (typeof path !== "string") return undefined;
  const inStack = path.startsWith(`${stack}/`) ? path.slice(stack.length + 1) : path;
  // The child of a construct that is one resource.
  const shown = inStack.replace(/\/(Default|Resource)$/, "");
  return shown === name ? undefined : shown;
}

const propertiesOf = (value: unknown): Properties => (isObject(value) ? value : {});
