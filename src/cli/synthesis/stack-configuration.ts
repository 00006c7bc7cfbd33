import { readFile } from "node:fs/promises";
import { isObject, type Properties } from "../../json/is-object";
import type { Stack } from "./manifest";
import { parseTrustedJson } from "../../json/plain-json";

/** The facts in a stack's configuration. A configuration in HCL gives none. */
export class StackConfiguration {
  readonly #content: Properties;
  readonly #name: string;

  private constructor(content: Properties, name: string) {
    this.#content = content;
    this.#name = name;
  }

  static async read({ file, name }: Stack): Promise<StackConfiguration> {
    const text = file.endsWith(".json") ? await readFile(file, "utf8") : "{}";
    return new StackConfiguration(propertiesOf(parseTrustedJson(text)), name);
  }

  /** True if another service runs Terraform, so that plans cannot be saved as usual. */
  get isRunElsewhere(): boolean {
    const terraform = propertiesOf(this.#content["terraform"]);
    return "cloud" in terraform || "remote" in propertiesOf(terraform["backend"]);
  }

  /** True if it uses modules, which `terraform init` fetches. */
  get hasModules(): boolean {
    return Object.keys(propertiesOf(this.#content["module"])).length > 0;
  }

  /**
   * Returns the path of a resource's construct in the stack, if the address does not show it.
   *
   * @param address such as `ids_endpoint.edge` or `data.workspace_parameter.cores[0]`
   */
  constructPathOf(address: string): string | undefined {
    const [, data, type = "", name = ""] = /^(data\.)?([\w-]+)\.([\w-]+)/.exec(address) ?? [];
    const blocks = propertiesOf(this.#content[data === undefined ? "resource" : "data"]);
    const block = propertiesOf(propertiesOf(blocks[type])[name]);
    const path = propertiesOf(propertiesOf(block["//"])["metadata"])["path"];
    if (typeof path !== "string") return undefined;
    const inStack = path.startsWith(`${this.#name}/`) ? path.slice(this.#name.length + 1) : path;
    // The child of a construct that is one resource.
    const shown = inStack.replace(/\/(Default|Resource)$/, "");
    return shown === name ? undefined : shown;
  }
}

const propertiesOf = (value: unknown): Properties => (isObject(value) ? value : {});
