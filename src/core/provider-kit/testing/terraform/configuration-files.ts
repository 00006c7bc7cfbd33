import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isObject, parseTrustedJson } from "../../../json/plain-json";

const hclFile = "main.tf";
const jsonFile = "main.tf.json";
const requirementsFile = "provider.tf.json";
const variablesFile = "terraform.tfvars.json";

/** The files of a configuration in a folder. `TerraformProject.write` describes their content. */
export class ConfigurationFiles {
  readonly #folder: string;
  readonly #sources: readonly string[];

  /** @param sources the addresses of the providers that a configuration need not require */
  constructor(folder: string, sources: readonly string[]) {
    this.#folder = folder;
    this.#sources = sources;
  }

  async write(configuration: string | object): Promise<void> {
    if (typeof configuration === "string" && !configuration.trimStart().startsWith("{")) {
      await rm(join(this.#folder, jsonFile), { force: true });
      await this.#require(!/^[^\n#/]*\brequired_providers\s*\{/m.test(configuration));
      await writeFile(join(this.#folder, hclFile), configuration);
      return;
    }
    await rm(join(this.#folder, hclFile), { force: true });
    const given: unknown =
      typeof configuration === "string" ? parseTrustedJson(configuration) : configuration;
    const { terraform, ...rest } = isObject(given) ? given : {};
    const settings = Object.entries(isObject(terraform) ? terraform : {}).filter(
      ([name]) => name !== "backend" && name !== "cloud",
    );
    await this.#require(settings.every(([name]) => name !== "required_providers"));
    const written = { ...rest, terraform: Object.fromEntries(settings) };
    await writeFile(join(this.#folder, jsonFile), JSON.stringify(written));
  }

  async setVariables(values: Readonly<Record<string, unknown>>): Promise<void> {
    const path = join(this.#folder, variablesFile);
    await writeFile(path, JSON.stringify(values), { mode: 0o600 });
  }

  /** Requires the providers, as if the configuration did it. */
  async requireProviders(): Promise<void> {
    await this.#require(true);
  }

  /** Requires the providers, unless the configuration does it. */
  async #require(isNeeded: boolean): Promise<void> {
    const path = join(this.#folder, requirementsFile);
    if (!isNeeded) return rm(path, { force: true });
    const required = this.#sources.map((source) => [nameOf(source), { source }] as const);
    const requirements = { terraform: { required_providers: Object.fromEntries(required) } };
    await writeFile(path, JSON.stringify(requirements));
  }
}

const nameOf = (source: string): string => source.slice(source.lastIndexOf("/") + 1);
