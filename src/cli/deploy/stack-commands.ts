import { join } from "node:path";
import { parsedJson, propertiesOf } from "../../core/json/plain-json";
import type { Diagnostic } from "../../planner/changes/diagnostic";
import { type Output, type PlanDocument, readPlan } from "../../planner/changes/plan-document";
import { exists } from "../invocation/command-environment";
import { terraformPlatform } from "../package/platform";
import {
  isLockedFor,
  type LockedProvider,
  lockedProviders,
  requiredProviders,
} from "../stack/required-providers";
import type { Stack } from "../synthesis/manifest";
import type { StackConfiguration } from "../synthesis/stack-content";
import { type StateUse, withStateAdvice } from "../terraform/state-advice";
import type { Ended, Terraform } from "../terraform/terraform";
import { readMessage, type TerraformMessage } from "../terraform/terraform-message";
import { cliConfiguration, dataFolder, isOverridden } from "../warm/locked-package";

interface StackListener {
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
  readonly onProgress: (text: string) => void;
}

/**
 * Terraform's commands for a stack. Each returns whether it succeeded, and reports the reason for a failure.
 */
export class StackCommands {
  readonly #terraform: Terraform;
  readonly #folder: string;
  readonly #configuration: StackConfiguration;
  readonly #listener: StackListener;

  constructor(
    terraform: Terraform,
    { folder }: Stack,
    configuration: StackConfiguration,
    listener: StackListener,
  ) {
    this.#terraform = terraform;
    this.#folder = folder;
    this.#configuration = configuration;
    this.#listener = listener;
  }

  /** Calls `init` if that is necessary. Returns undefined if it failed. */
  async prepare(): Promise<{ isNew: boolean; isEmpty: false } | undefined> {
    const { hasModules } = this.#configuration;
    const isReady = await isInitialized(this.#folder, hasModules, this.#terraform.env);
    if (!isReady && !(await this.#init())) return undefined;
    return { isNew: !isReady, isEmpty: false };
  }

  /**
   * Saves a plan, after `init` if that is necessary.
   *
   * @param file the file of the plan; if it exists, it keeps its permissions
   * @returns undefined if it failed
   */
  async plan(file: string, options: readonly string[]): Promise<{ isEmpty: boolean } | undefined> {
    const prepared = await this.prepare();
    if (prepared === undefined) return undefined;
    const args = ["plan", "-input=false", "-json", "-detailed-exitcode", `-out=${file}`];
    const held: Diagnostic[] = [];
    const attempt = (onDiagnostic: (diagnostic: Diagnostic) => void): Promise<number | null> =>
      this.#report([...args, ...options], onDiagnostic);
    let code = await attempt((diagnostic) => held.push(diagnostic));
    if (code === 1 && !prepared.isNew && held.some(asksForInit)) {
      if (!(await this.#init())) return undefined;
      code = await attempt(this.#listener.onDiagnostic);
    } else {
      held.forEach(this.#listener.onDiagnostic);
    }
    return code === 0 || code === 2 ? { isEmpty: code === 0 } : undefined;
  }

  async show(file: string): Promise<PlanDocument | undefined> {
    const ended = await this.#terraform.run(this.#folder, ["show", "-json", file]);
    if (ended.code === 0) return readPlan(ended.stdout);
    this.#fail("terraform show failed", ended);
    return undefined;
  }

  /** Applies a saved plan. Returns the outputs; undefined if it failed. */
  async apply(file: string, options: readonly string[]): Promise<readonly Output[] | undefined> {
    let outputs: readonly Output[] = [];
    const args = ["apply", "-input=false", "-json", ...options, file];
    const code = await this.#report(args, this.#listener.onDiagnostic, (message) => {
      if (message.kind === "outputs") outputs = message.outputs;
      if (message.kind === "progress") this.#listener.onProgress(message.text);
    });
    return code === 0 ? outputs : undefined;
  }

  async #init(): Promise<boolean> {
    const ended = await this.#terraform.whileInstalling(() => this.#initialize());
    if (ended.code === 0) return true;
    const isMoved = /-migrate-state\b/.test(ended.stdout + ended.stderr);
    this.#fail("terraform init failed", ended, isMoved ? `\nRun it in ${this.#folder}.` : "");
    return false;
  }

  /**
   * Upgrades versions only if Terraform asks for it: other providers keep theirs. Installs the providers that Terraform misses:
   * only Terraform knows which ones modules and a state need.
   */
  async #initialize(): Promise<Ended> {
    const args = ["init", "-input=false", "-no-color"];
    let ended = await this.#terraform.run(this.#folder, args);
    const { stdout, stderr } = ended;
    const isNamed = (source: string): boolean => (stdout + stderr).includes(source);
    if (ended.code === 1 && (await this.#terraform.install(isNamed))) {
      ended = await this.#terraform.run(this.#folder, args);
    }
    if (ended.code === 1 && /\binit -upgrade\b/.test(ended.stdout + ended.stderr)) {
      ended = await this.#terraform.run(this.#folder, [...args, "-upgrade"]);
    }
    return ended;
  }

  async #report(
    args: readonly string[],
    onDiagnostic: (diagnostic: Diagnostic) => void,
    onMessage: (message: TerraformMessage) => void = () => undefined,
  ): Promise<number | null> {
    const errors: Diagnostic[] = [];
    const others: string[] = [];
    const postponed: Diagnostic[] = [];
    const startedAt = new Date();
    const ended = await this.#terraform.run(this.#folder, args, (line) => {
      const message = readMessage(line);
      if (message?.kind === "diagnostic" && mayWait(message.diagnostic, args)) {
        postponed.push(message.diagnostic);
      } else if (message?.kind === "diagnostic") {
        if (message.diagnostic.severity === "error") errors.push(message.diagnostic);
        onDiagnostic(withStateAdvice(message.diagnostic, this.#state(startedAt)));
      } else if (message?.kind === "waiting") this.#listener.onProgress(message.text);
      else if (message?.kind === "other") others.push(message.text);
      else if (message !== undefined) onMessage(message);
    });
    if (postponed.length > 0) {
      this.#listener.onProgress(
        "the state of another stack is being created in the same database, which Terraform locks: waiting up to a minute",
      );
      const [command = "", ...rest] = args;
      return await this.#report([command, waiting, ...rest], onDiagnostic, onMessage);
    }
    if (ended.code !== 0 && ended.code !== 2 && errors.length === 0) {
      this.#fail(`terraform ${args[0] ?? ""} failed`, { ...ended, stdout: others.join("\n") });
    }
    return ended.code;
  }

  #fail(summary: string, { stdout, stderr }: Ended, advice = ""): void {
    const text = stderr.trim() === "" ? stdout : stderr;
    // The frames around Terraform's errors.
    const detail = text.replaceAll(/^[╷│╵] ?/gm, "").trim() + advice;
    const diagnostic = { severity: "error", summary, detail } as const;
    this.#listener.onDiagnostic(withStateAdvice(diagnostic, this.#state(new Date())));
  }

  #state(startedAt: Date): StateUse {
    return { folder: this.#folder, file: this.#configuration.stateFile, startedAt };
  }
}

const waiting = "-lock-timeout=60s";

/** While the backend `pg` creates a state, it locks the whole database, even for states in other schemas. */
const mayWait = ({ severity, detail }: Diagnostic, args: readonly string[]): boolean =>
  severity === "error" &&
  detail.includes("Already locked for workspace creation") &&
  !args.some((arg) => arg.startsWith("-lock-timeout="));

const asksForInit = ({ severity, detail }: Diagnostic): boolean =>
  severity === "error" && /\b(terraform|tofu) init\b/.test(detail);

/**
 * Checks whether `terraform init` has prepared a folder for its configuration: providers of the required
 * versions are locked and installed, the backend and modules are set up.
 *
 * This saves a command if nothing has changed. Terraform later reports changes that this check misses, such as different
 * settings of the backend.
 *
 * @param hasModules true if the configuration uses modules
 */
async function isInitialized(
  folder: string,
  hasModules: boolean,
  env: NodeJS.ProcessEnv,
): Promise<boolean> {
  const data = dataFolder(folder, env);
  const locked = await lockedProviders(folder);
  const configuration = await cliConfiguration(env);
  const attached = propertiesOf(parsedJson(env["TF_REATTACH_PROVIDERS"] ?? ""));
  const needed = [
    // cdktf always configures a backend.
    exists(join(data, "terraform.tfstate")),
    ...(hasModules ? [exists(join(data, "modules", "modules.json"))] : []),
    ...(await requiredProviders(folder))
      .filter(({ source }) => !isBuiltIn(source) && !isOverridden(source, configuration))
      .filter(({ source }) => !(source in attached))
      .map(async ({ source, version }) => {
        const found = locked.find((each) => isSame(each.source, source));
        return (
          found !== undefined && isLockedFor(version, found) && (await isInstalled(found, data))
        );
      }),
  ];
  return (await Promise.all(needed)).every((isMet) => isMet);
}

const isBuiltIn = (source: string): boolean => source.startsWith("terraform.io/builtin/");

/** Compares source addresses. One without a host belongs to the registry of the tool. */
const isSame = (locked: string, required: string): boolean =>
  locked === required || locked.endsWith(`/${required}`);

const isInstalled = ({ source, version }: LockedProvider, data: string): Promise<boolean> =>
  exists(join(data, "providers", source, version, terraformPlatform()));
