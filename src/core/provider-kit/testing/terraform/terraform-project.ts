import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isObject, parseTrustedJson } from "../../../json/plain-json";
import { type CommandResult, runCommand } from "./run-command";
import {
  type ExecutableProvider,
  type InProcessProvider,
  type ProviderUnderTest,
  type ServedProvider,
  serveProvider,
} from "./served-provider";
import {
  parsePlan,
  parseReport,
  parseValidation,
  parseValues,
  type TerraformDiagnostic,
  TerraformFailure,
  type TerraformPlan,
  type TerraformReport,
  type TerraformValues,
} from "./terraform-report";

/** The settings of a project that do not concern its main provider. */
export interface TerraformProjectSettings {
  /** Further providers that the configuration uses. @default none */
  readonly otherProviders?: readonly ProviderUnderTest[] | undefined;
  /** The command: a name on `PATH` or a path. @default "terraform" */
  readonly command?: string | undefined;
  /** Variables to add to the environment of each command. @default none */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The longest time that a command may run, in milliseconds. @default 300000 */
  readonly timeoutMs?: number | undefined;
}

/** The options of {@link TerraformProject.open}. */
export type TerraformProjectOptions = TerraformProjectSettings &
  (InProcessProvider | ExecutableProvider);

/** The file in which a project keeps its last plan. */
export const planFile = "plan.bin";

/**
 * A folder in which the real Terraform uses a provider that runs in this process, or in one process for all
 * commands.
 *
 * The provider is not installed, and does not start again for each command, so a step takes a fraction of a
 * second. Commands of one project run one after another.
 *
 * @example
 *   const project = await TerraformProject.open({ source, routes: providerRoutes(definition) });
 *   await project.write(`resource "shop_tool" "saw" { name = "saw" }`);
 *   await project.apply();
 *   expect(await project.resources()).toMatchObject({ "shop_tool.saw": { name: "saw" } });
 *   await project.close();
 *
 * @see {@link https://developer.hashicorp.com/terraform/plugin/debugging}
 */
export class TerraformProject {
  readonly #command: string;
  readonly #served: readonly ServedProvider[];
  readonly #files: ConfigurationFiles;
  readonly #env: NodeJS.ProcessEnv;
  readonly #timeoutMs: number;

  private constructor(
    /** The folder of the configuration and the state. */
    readonly folder: string,
    options: TerraformProjectOptions,
    served: readonly ServedProvider[],
  ) {
    const { command = "terraform", env = {}, timeoutMs = 300_000 } = options;
    this.#command = command;
    this.#served = served;
    const sources = providersOf(options).map(({ source }) => source);
    this.#files = new ConfigurationFiles(folder, sources);
    this.#timeoutMs = timeoutMs;
    const attachments = Object.assign({}, ...served.map((each) => each.attachments)) as object;
    this.#env = {
      ...withoutTerraformVariables(process.env),
      ...env,
      TF_REATTACH_PROVIDERS: JSON.stringify(attachments),
      CHECKPOINT_DISABLE: "1",
      TF_IN_AUTOMATION: "1",
      // The user's own configuration could install another provider.
      TF_CLI_CONFIG_FILE: join(folder, "terraform.rc"),
    };
  }

  /** Serves the provider and creates an empty folder. Call {@link close} at the end. */
  static async open(options: TerraformProjectOptions): Promise<TerraformProject> {
    const folder = await mkdtemp(join(tmpdir(), "terraform-project-"));
    const served: ServedProvider[] = [];
    try {
      const env = { ...process.env, ...options.env };
      for (const provider of providersOf(options)) served.push(await serveProvider(provider, env));
      const project = new TerraformProject(folder, options, served);
      await writeFile(join(folder, "terraform.rc"), "");
      await project.#files.requireProviders();
      return project;
    } catch (error) {
      await closed(folder, served);
      throw error;
    }
  }

  /**
   * Replaces the configuration: HCL as a string, or Terraform's JSON as a string or an object, such as
   * a synthesized stack. Providers need not be required. The back end of a stack is left out: the state
   * is in the folder.
   */
  async write(configuration: string | object): Promise<void> {
    await this.#files.write(configuration);
  }

  /** Sets the values of the configuration's variables for all later commands. Replaces earlier ones. */
  async setVariables(values: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#files.setVariables(values);
  }

  /** @throws TerraformFailure when the configuration is invalid */
  async validate(): Promise<readonly TerraformDiagnostic[]> {
    const { code, output } = await this.run("validate", "-json");
    const found = parseValidation(output);
    if (code !== 0) throw new TerraformFailure("validate", found, output);
    return found;
  }

  /** @throws TerraformFailure when planning fails */
  async plan(...args: readonly string[]): Promise<TerraformPlan> {
    const { diagnostics } = await this.report("plan", `-out=${planFile}`, ...args);
    return { changes: await this.plannedChanges(), warnings: diagnostics };
  }

  /** Returns the changes of the plan in {@link planFile}, by address. */
  async plannedChanges(): Promise<TerraformPlan["changes"]> {
    return parsePlan(await this.#succeeded("show", "-json", planFile));
  }

  /**
   * Plans and applies, without the approval of a user.
   *
   * @returns the warnings
   * @throws TerraformFailure when planning or applying fails; {@link resources} shows what was stored
   */
  async apply(...args: readonly string[]): Promise<readonly TerraformDiagnostic[]> {
    return (await this.report("apply", "-auto-approve", ...args)).diagnostics;
  }

  /** Applies the last {@link plan}. @throws TerraformFailure when applying fails */
  async applyPlan(): Promise<readonly TerraformDiagnostic[]> {
    return (await this.report("apply", planFile)).diagnostics;
  }

  /** @throws TerraformFailure when a resource cannot be deleted */
  async destroy(...args: readonly string[]): Promise<readonly TerraformDiagnostic[]> {
    return (await this.report("destroy", "-auto-approve", ...args)).diagnostics;
  }

  /** @throws TerraformFailure when the resource cannot be imported */
  async import(address: string, id: string, ...args: readonly string[]): Promise<void> {
    await this.#succeeded("import", "-no-color", "-input=false", ...args, address, id);
  }

  /** Returns the values of resources and data sources in the state, by address. */
  async resources(): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> {
    return (await this.values()).resources;
  }

  /** Returns the values of the root module's outputs, by name, including sensitive ones. */
  async outputs(): Promise<Readonly<Record<string, unknown>>> {
    return (await this.values()).outputs;
  }

  /**
   * Returns the values in the state, or in another state file.
   *
   * @param file the path of the state file @default the project's own
   */
  async values(file?: string): Promise<TerraformValues> {
    return parseValues(
      await this.#succeeded("show", "-json", ...(file === undefined ? [] : [file])),
    );
  }

  /**
   * Runs `plan`, `apply`, `destroy` or `refresh`, and returns the content of its messages.
   *
   * @throws TerraformFailure when the command fails
   */
  async report(command: string, ...args: readonly string[]): Promise<TerraformReport> {
    const { code, output, errors } = await this.run(command, "-json", "-input=false", ...args);
    const report = parseReport(output);
    if (code !== 0) throw new TerraformFailure(command, report.diagnostics, errors || output);
    return report;
  }

  /**
   * Runs any command of Terraform. Does not throw when it fails.
   *
   * @throws Error when the command runs out of time
   */
  run(...args: readonly string[]): Promise<CommandResult> {
    const options = { cwd: this.folder, env: this.#env, timeoutMs: this.#timeoutMs };
    return runCommand(this.#command, args, options);
  }

  /** Stops serving and removes the folder. Does not destroy resources. */
  async close(): Promise<void> {
    await closed(this.folder, this.#served);
  }

  async #succeeded(...args: readonly [string, ...string[]]): Promise<string> {
    const { code, output, errors } = await this.run(...args);
    if (code !== 0) throw new TerraformFailure(args[0], [], errors || output);
    return output;
  }
}

const providersOf = (options: TerraformProjectOptions): readonly ProviderUnderTest[] => [
  options,
  ...(options.otherProviders ?? []),
];

async function closed(folder: string, served: readonly ServedProvider[]): Promise<void> {
  for (const each of served) await each.close();
  await rm(folder, { recursive: true, force: true });
}

/** Returns an environment without the variables that change commands or providers. */
function withoutTerraformVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^TF_(?!LOG|ACC)/.test(name)));
}

const hclFile = "main.tf";
const jsonFile = "main.tf.json";
const requirementsFile = "provider.tf.json";
const variablesFile = "terraform.tfvars.json";

/** The files of a configuration in a folder. `TerraformProject.write` describes their content. */
class ConfigurationFiles {
  readonly #folder: string;
  readonly #sources: readonly string[];

  /** @param sources the addresses of the providers to require if the configuration requires none */
  constructor(folder: string, sources: readonly string[]) {
    this.#folder = folder;
    this.#sources = sources;
  }

  async write(configuration: string | object): Promise<void> {
    if (typeof configuration === "string" && !configuration.trimStart().startsWith("{")) {
      await rm(join(this.#folder, jsonFile), { force: true });
      await this.requireProviders(!/^[^\n#/]*\brequired_providers\s*\{/m.test(configuration));
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
    await this.requireProviders(settings.every(([name]) => name !== "required_providers"));
    const written = { ...rest, terraform: Object.fromEntries(settings) };
    await writeFile(join(this.#folder, jsonFile), JSON.stringify(written));
  }

  async setVariables(values: Readonly<Record<string, unknown>>): Promise<void> {
    const path = join(this.#folder, variablesFile);
    await writeFile(path, JSON.stringify(values), { mode: 0o600 });
  }

  /** @param isNeeded false if the configuration requires its providers itself */
  async requireProviders(isNeeded = true): Promise<void> {
    const path = join(this.#folder, requirementsFile);
    if (!isNeeded) return rm(path, { force: true });
    const required = this.#sources.map((source) => [nameOf(source), { source }] as const);
    const requirements = { terraform: { required_providers: Object.fromEntries(required) } };
    await writeFile(path, JSON.stringify(requirements));
  }
}

const nameOf = (source: string): string => source.slice(source.lastIndexOf("/") + 1);
