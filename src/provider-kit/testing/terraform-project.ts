import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRecord } from "../../json/is-object";
import type { ProviderRoutes } from "../host/connection/provider-grpc";
import { type Reattached, startReattach } from "../host/reattach";

/** The options of {@link TerraformProject.open}. */
export interface TerraformProjectOptions {
  /** The provider's source address, such as `trivet.local/trivet/ids`. */
  readonly source: string;
  /** What `providerRoutes(definition)` returns. */
  readonly routes: ProviderRoutes;
  /** The command: a name on `PATH` or a path. @default "terraform" */
  readonly command?: string | undefined;
  /** Variables to add to the environment of each command. @default none */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** What Terraform reported: an error or a warning. */
export interface TerraformDiagnostic {
  readonly severity: "error" | "warning";
  readonly summary: string;
  readonly detail: string;
  /** The resource that it is about, such as `ids_endpoint.edge`. */
  readonly address: string | undefined;
}

/** What Terraform does with one resource. */
export type TerraformAction = "no-op" | "create" | "read" | "update" | "delete" | "replace";

/** The planned change of one resource. */
export interface TerraformChange {
  readonly address: string;
  readonly action: TerraformAction;
  /** The values in the state, or undefined for a creation. */
  readonly before: Readonly<Record<string, unknown>> | undefined;
  /** The planned values without the unknown ones, or undefined for a deletion. */
  readonly after: Readonly<Record<string, unknown>> | undefined;
  /** The planned paths that require a replacement. */
  readonly replacePaths: readonly (readonly (string | number)[])[];
}

/** A plan. */
export interface TerraformPlan {
  /** The changes of all resources by address, including those with the action `no-op`. */
  readonly changes: ReadonlyMap<string, TerraformChange>;
  readonly warnings: readonly TerraformDiagnostic[];
}

/** A command failed. The message contains what Terraform reported. */
export class TerraformFailure extends Error {
  override readonly name = "TerraformFailure";

  constructor(
    readonly command: string,
    readonly diagnostics: readonly TerraformDiagnostic[],
    output: string,
  ) {
    const reported = diagnostics
      .filter(({ severity }) => severity === "error")
      .map(({ address, summary, detail }) => [address, summary, detail].filter(Boolean).join(": "));
    super([`${command} failed`, ...(reported.length > 0 ? reported : [output.trim()])].join("\n"));
  }
}

/**
 * A folder in which the real Terraform uses a provider that runs in this process.
 *
 * The provider is neither built nor installed and does not start anew for each command, so a step
 * takes a fraction of a second. Breakpoints and coverage work. Commands of one project run one after
 * another.
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
  readonly #reattached: Reattached;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(
    /** The folder of the configuration and the state. */
    readonly folder: string,
    { command = "terraform", env = {} }: TerraformProjectOptions,
    reattached: Reattached,
  ) {
    this.#command = command;
    this.#reattached = reattached;
    this.#env = {
      ...withoutTerraformVariables(process.env),
      ...env,
      ...reattached.env,
      CHECKPOINT_DISABLE: "1",
      TF_IN_AUTOMATION: "1",
      // The user's own configuration could name another provider.
      TF_CLI_CONFIG_FILE: join(folder, "terraform.rc"),
    };
  }

  /** Serves the provider and creates an empty folder. Call {@link close} at the end. */
  static async open(options: TerraformProjectOptions): Promise<TerraformProject> {
    const { source, routes, env } = options;
    const reattached = await startReattach({ source, routes, env });
    try {
      const folder = await mkdtemp(join(tmpdir(), "terraform-project-"));
      const project = new TerraformProject(folder, options, reattached);
      const name = source.slice(source.lastIndexOf("/") + 1);
      const requirements = { terraform: { required_providers: { [name]: { source } } } };
      await writeFile(join(folder, "terraform.rc"), "");
      await writeFile(join(folder, "provider.tf.json"), JSON.stringify(requirements));
      return project;
    } catch (error) {
      reattached.close();
      throw error;
    }
  }

  /** Replaces the configuration: HCL as a string, Terraform's JSON or a synthesized stack as an object. */
  async write(configuration: string | object): Promise<void> {
    const isNative = typeof configuration === "string";
    const [written, other] = isNative ? ["main.tf", "main.tf.json"] : ["main.tf.json", "main.tf"];
    await rm(join(this.folder, other), { force: true });
    const text = isNative ? configuration : JSON.stringify(configuration);
    await writeFile(join(this.folder, written), text);
  }

  /** @throws TerraformFailure when the configuration is invalid */
  async validate(): Promise<readonly TerraformDiagnostic[]> {
    const { code, output } = await this.run("validate", "-json");
    const report: unknown = JSON.parse(output);
    const found = isRecord(report) ? listOf(report["diagnostics"]).map(diagnosticOf) : [];
    if (code !== 0) throw new TerraformFailure("validate", found, output);
    return found;
  }

  /** @throws TerraformFailure when planning fails */
  async plan(...args: readonly string[]): Promise<TerraformPlan> {
    const diagnostics = await this.#reported("plan", "-out=plan.bin", ...args);
    const shown: unknown = JSON.parse(await this.#succeeded("show", "-json", "plan.bin"));
    const changes = listOf(isRecord(shown) ? shown["resource_changes"] : undefined).map(changeOf);
    return {
      changes: new Map(changes.map((change) => [change.address, change])),
      warnings: diagnostics,
    };
  }

  /**
   * Plans and applies, without the approval of a user.
   *
   * @returns the warnings
   * @throws TerraformFailure when planning or applying fails; {@link resources} shows what was stored
   */
  async apply(...args: readonly string[]): Promise<readonly TerraformDiagnostic[]> {
    return await this.#reported("apply", "-auto-approve", ...args);
  }

  /** @throws TerraformFailure when a resource cannot be deleted */
  async destroy(...args: readonly string[]): Promise<readonly TerraformDiagnostic[]> {
    return await this.#reported("destroy", "-auto-approve", ...args);
  }

  /** @throws TerraformFailure when the resource cannot be imported */
  async import(address: string, id: string): Promise<void> {
    await this.#succeeded("import", "-no-color", "-input=false", address, id);
  }

  /** The values in the state, by address, of the resources and data sources of the root module. */
  async resources(): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> {
    const shown: unknown = JSON.parse(await this.#succeeded("show", "-json"));
    const values = isRecord(shown) && isRecord(shown["values"]) ? shown["values"] : {};
    const root = isRecord(values["root_module"]) ? values["root_module"] : {};
    return Object.fromEntries(
      listOf(root["resources"])
        .filter(isRecord)
        .map((each) => [String(each["address"]), isRecord(each["values"]) ? each["values"] : {}]),
    );
  }

  /** The values of the root module's outputs, by name, including sensitive ones. */
  async outputs(): Promise<Readonly<Record<string, unknown>>> {
    const shown: unknown = JSON.parse(await this.#succeeded("output", "-json"));
    return Object.fromEntries(
      Object.entries(isRecord(shown) ? shown : {}).map(([name, output]) => [
        name,
        recordOf(output)?.["value"],
      ]),
    );
  }

  /** Runs any command of Terraform. Does not throw when it fails. */
  async run(
    ...args: readonly string[]
  ): Promise<{ readonly code: number | null; readonly output: string; readonly errors: string }> {
    const child = spawn(this.#command, args, {
      cwd: this.folder,
      env: this.#env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let errors = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
    return await new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => {
        resolve({ code, output, errors });
      });
    });
  }

  /** Stops serving and removes the folder. Does not destroy resources. */
  async close(): Promise<void> {
    this.#reattached.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  async #succeeded(...args: readonly [string, ...string[]]): Promise<string> {
    const { code, output, errors } = await this.run(...args);
    if (code !== 0) throw new TerraformFailure(args[0], [], errors || output);
    return output;
  }

  /** Runs a command that prints one JSON message per line, and returns its warnings. */
  async #reported(command: string, ...args: readonly string[]) {
    const { code, output, errors } = await this.run(command, "-json", "-input=false", ...args);
    const diagnostics = output
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line): unknown => JSON.parse(line))
      .flatMap((message) =>
        isRecord(message) && isRecord(message["diagnostic"])
          ? [diagnosticOf(message["diagnostic"])]
          : [],
      );
    // Terraform reports a warning of the validation again when it plans.
    const distinct = [...new Map(diagnostics.map((each) => [JSON.stringify(each), each])).values()];
    if (code !== 0) throw new TerraformFailure(command, distinct, errors || output);
    return distinct;
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const recordOf = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  isRecord(value) ? value : undefined;

function diagnosticOf(value: unknown): TerraformDiagnostic {
  const { severity, summary, detail, address } = recordOf(value) ?? {};
  return {
    severity: severity === "warning" ? "warning" : "error",
    summary: textOf(summary),
    detail: textOf(detail),
    address: textOf(address) || undefined,
  };
}

function changeOf(value: unknown): TerraformChange {
  const { address, change } = recordOf(value) ?? {};
  const { actions, before, after, replace_paths: paths } = recordOf(change) ?? {};
  const names = listOf(actions).map(textOf);
  return {
    address: textOf(address),
    action: names.length > 1 ? "replace" : actionOf(names[0]),
    before: recordOf(before),
    after: recordOf(after),
    replacePaths: listOf(paths).map((path) =>
      listOf(path).filter((step) => typeof step === "string" || typeof step === "number"),
    ),
  };
}

const actionNames = ["no-op", "create", "read", "update", "delete"] as const;

function actionOf(name: string | undefined): TerraformAction {
  const action = actionNames.find((each) => each === name);
  if (action === undefined) throw new Error(`Terraform planned an unknown action: ${name}`);
  return action;
}

/** Without what changes commands or names other providers. */
function withoutTerraformVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^TF_(?!LOG|ACC)/.test(name)));
}
