import { messageOf } from "../../core/failure/failure";
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { isRecord, parsedJson } from "../../core/json/plain-json";
import { isProcessAlive, type ProcessMark, processMark } from "../../core/process/process-facts";
import { note } from "../invocation/failure";
import { isIntact, type LockedPackage, lockedPackages } from "./locked-package";
import { startWarmProvider, type WarmProvider } from "./warm-provider";

interface WarmProvidersOptions {
  readonly socketFolder: string;
  /** The folder of the launchers, which providers do not have on PATH. */
  readonly onPath: string;
}

interface Entry {
  readonly source: string;
  readonly folder: string;
  readonly provider: Promise<WarmProvider | undefined>;
  users: readonly ProcessMark[];
}

/** The number of unused providers that are kept for the next command. */
const maxUnused = 8;

/**
 * The providers that are kept running between the commands of Terraform.
 *
 * The first command that needs a provider starts its process, in the folder and environment of the command. Other commands use
 * it only if both are the same, so that a provider reads the same values as if Terraform had started it.
 */
export class WarmProviders {
  /** The processes by package, folder and environment, the most recently used last. */
  readonly #entries = new Map<string, Entry>();
  readonly #attachments = new Set<string>();
  readonly #options: WarmProvidersOptions;

  constructor(options: WarmProvidersOptions) {
    this.#options = options;
  }

  /**
   * Returns TF_REATTACH_PROVIDERS for a command, or undefined if it need not change. The user's own value takes precedence.
   */
  async attachments(invocation: TerraformInvocation): Promise<string | undefined> {
    const given = invocation.env["TF_REATTACH_PROVIDERS"] ?? "";
    const own = this.#ownPart(given);
    // Terraform explains what is wrong with it.
    if (own === undefined) return undefined;
    const found = needsProviders(invocation) ? await this.#find(invocation, own) : [];
    const all = Object.assign({}, ...found.map(({ attachments }) => attachments), own) as object;
    return given === "" && Object.keys(all).length === 0 ? undefined : JSON.stringify(all);
  }

  /** Ends the use by commands of this process in a folder. */
  release(folder: string): void {
    for (const entry of this.#entries.values()) {
      if (entry.folder !== folder) continue;
      entry.users = entry.users.filter(({ pid }) => pid !== process.pid);
    }
  }

  async close(): Promise<void> {
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    await Promise.all(entries.map(async ({ provider }) => (await provider)?.close()));
  }

  /**
   * Returns the user's part of TF_REATTACH_PROVIDERS. A command that Terraform runs inherits ours as well.
   */
  #ownPart(given: string): Readonly<Record<string, unknown>> | undefined {
    if (given === "") return {};
    const value = parsedJson(given);
    if (!isRecord(value)) return undefined;
    const isOurs = (entry: unknown): boolean => this.#attachments.has(JSON.stringify(entry));
    return Object.fromEntries(Object.entries(value).filter(([, entry]) => !isOurs(entry)));
  }

  async #find(
    invocation: TerraformInvocation,
    own: Readonly<Record<string, unknown>>,
  ): Promise<readonly WarmProvider[]> {
    const folder = workingFolder(invocation);
    const env = this.#environment(invocation.env);
    const packages = (await lockedPackages(folder, env)).filter(({ source }) => !(source in own));
    const user = processMark(invocation.pid);
    const providers = packages.map((each) => {
      const key = keyOf(each, folder, env);
      const entry = this.#entries.get(key) ?? {
        source: each.source,
        folder,
        users: [],
        provider: this.#start(key, each, folder, env, invocation.calledIn),
      };
      this.#entries.delete(key);
      this.#entries.set(key, entry);
      entry.users = [...entry.users, user];
      return entry.provider;
    });
    this.#endUnused(folder, providers);
    return (await Promise.all(providers)).filter((provider) => provider !== undefined);
  }

  async #start(
    key: string,
    provider: LockedPackage,
    folder: string,
    env: Readonly<Record<string, string>>,
    calledIn: string,
  ): Promise<WarmProvider | undefined> {
    const { socketFolder } = this.#options;
    // Terraform explains what is wrong with the package.
    if (!(await isIntact(provider))) {
      this.#entries.delete(key);
      return undefined;
    }
    try {
      const onCrash = (how: string): void => {
        this.#entries.delete(key);
        note(`the provider ${provider.name} crashed: ${how}`);
      };
      const started = await startWarmProvider({
        name: provider.name,
        command: [provider.executable, "--warm"],
        folder,
        env,
        socketFolder,
        calledIn,
        onCrash,
      });
      for (const attachment of Object.values(started.attachments)) {
        this.#attachments.add(JSON.stringify(attachment));
      }
      return started;
    } catch (failure) {
      const reason = messageOf(failure);
      note(`the provider ${provider.name} is not kept warm, because it did not start: ${reason}`);
      this.#entries.delete(key);
      return undefined;
    }
  }

  /**
   * Stops unused processes: the ones in the same folder that the last command did not use, because its environment differs, and
   * the least recently used ones.
   */
  #endUnused(folder: string, used: readonly Promise<unknown>[]): void {
    const unused = [...this.#entries].filter(([, entry]) => {
      entry.users = entry.users.filter(isProcessAlive);
      return entry.users.length === 0;
    });
    const surplus = Math.max(0, unused.length - maxUnused);
    unused.forEach(([key, entry], at) => {
      const isReplaced = entry.folder === folder && !used.includes(entry.provider);
      if (!isReplaced && at >= surplus) return;
      this.#entries.delete(key);
      void entry.provider.then((provider) => provider?.close());
    });
  }

  /**
   * Returns the environment of a command without variables that differ between commands and that no provider reads.
   */
  #environment(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const kept = Object.entries(env).filter(([name]) => !notRead.test(name));
    const path = env["PATH"]?.replace(`${this.#options.onPath}:`, "");
    return { ...Object.fromEntries(kept), ...(path !== undefined && { PATH: path }) };
  }
}

/** Variables that shells and terminals set, or that are for Terraform itself. */
const notRead =
  /^(_|SHLVL|PWD|OLDPWD|TERM|COLUMNS|LINES|TF_VAR_.*|TF_CLI_ARGS.*|TF_INPUT|TF_REATTACH_PROVIDERS)$/;

function keyOf(
  { folder: contents }: LockedPackage,
  folder: string,
  env: Readonly<Record<string, string>>,
): string {
  const sorted = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1));
  const digest = createHash("sha256").update(JSON.stringify(sorted)).digest("hex");
  return JSON.stringify([contents, folder, digest]);
}

/** A command of Terraform that is about to run. */
export interface TerraformInvocation {
  /** The process that becomes Terraform, or the one that starts it and releases its providers. */
  readonly pid: number;
  /** The folder in which the command was called. */
  readonly calledIn: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Returns the folder in which Terraform and its providers work: `-chdir`, otherwise that of the call. */
export function workingFolder({ calledIn, args }: TerraformInvocation): string {
  const global = args.slice(0, positionOfCommand(args));
  const changed = global.find((arg) => arg.startsWith("-chdir="))?.slice("-chdir=".length);
  return resolve(calledIn, changed ?? "");
}

/**
 * Commands that start no provider. `init` installs them, and must do so whether they are warm or not:
 * Terraform neither installs nor locks the providers in TF_REATTACH_PROVIDERS.
 */
const withoutProviders = new Set([
  "fmt",
  "force-unlock",
  "get",
  "init",
  "login",
  "logout",
  "metadata",
  "output",
  "version",
  "workspace",
]);

/** Commands that start a provider only with these subcommands. */
const subcommandsWithProviders: Readonly<Record<string, readonly string[]>> = {
  providers: ["schema"],
  state: ["show"],
};

export function needsProviders({ args }: TerraformInvocation): boolean {
  const position = positionOfCommand(args);
  const command = args[position];
  if (command === undefined || args.some((arg) => /^--?h(elp)?$/.test(arg))) return false;
  const subcommands = subcommandsWithProviders[command];
  if (subcommands !== undefined) return subcommands.includes(args[position + 1] ?? "");
  return !withoutProviders.has(command);
}

function positionOfCommand(args: readonly string[]): number {
  const position = args.findIndex((arg) => !arg.startsWith("-"));
  return position === -1 ? args.length : position;
}
