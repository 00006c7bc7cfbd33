import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { cpuMs } from "./process-figures";
import { parseTiming, timed, type Timing } from "./time-command";

/** The time of a command whose providers were already running. */
export interface WarmTiming extends Timing {
  /** The CPU time of the providers, which `cpuMs` contains as well. */
  readonly providerCpuMs: number;
}

const endMark = "end of command ";

/** Runs Terraform commands one after another, all of them in one `trivet exec --warm` (Linux). */
export class WarmTerraform {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  #output = "";

  /** @param exec the script of `trivet` and its arguments up to `--` */
  constructor(exec: readonly string[]) {
    const loop = 'while IFS= read -r line; do eval "$line"; done';
    this.#process = spawn(process.execPath, [...exec, "--", "bash", "-c", loop], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#process.stdout.setEncoding("utf8").on("data", (text: string) => (this.#output += text));
  }

  /**
   * Runs a command, and returns its time. The CPU time includes that of `trivet` and the providers.
   *
   * @throws Error if the command fails
   */
  async time(
    cwd: string,
    command: string,
    env: Readonly<Record<string, string>>,
  ): Promise<WarmTiming> {
    const variables = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`);
    const exported = variables.length === 0 ? "" : `export ${variables.join(" ")};`;
    const script = `cd ${quoted(cwd)}; ${exported} { ${timed(command)}; } 2>&1`;
    const before = this.#cpu();
    this.#output = "";
    this.#process.stdin.write(`bash -ec ${quoted(script)}; echo "${endMark}$?"\n`);
    while (!this.#output.includes(endMark)) await once(this.#process.stdout, "data");
    const after = this.#cpu();
    const [output = "", code = ""] = this.#output.split(endMark);
    if (code.trim() !== "0") throw new Error(`"${command}" failed:\n${output}`);
    const { wallMs, cpuMs: own } = parseTiming(output);
    const providerCpuMs = after.providers - before.providers;
    return { wallMs, cpuMs: own + after.trivet - before.trivet + providerCpuMs, providerCpuMs };
  }

  async close(): Promise<void> {
    const closed = once(this.#process, "close");
    this.#process.stdin.end();
    await closed;
  }

  #cpu(): { readonly trivet: number; readonly providers: number } {
    const { pid = 0 } = this.#process;
    const providers = childrenOf(pid).filter((child) =>
      readFileSync(`/proc/${child}/cmdline`, "utf8").includes("--warm"),
    );
    const total = providers.reduce((sum, provider) => sum + cpuMs(provider), 0);
    return { trivet: cpuMs(pid), providers: total };
  }
}

function childrenOf(pid: number): readonly number[] {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" "))
    .filter((child) => child !== "")
    .map(Number);
}

/** Quotes a text for bash, on one line. */
const quoted = (text: string): string =>
  `$'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")}'`;
