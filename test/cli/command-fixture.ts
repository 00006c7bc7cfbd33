import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundledCommand } from "./bundled-command";
import { writeBuiltPackage } from "./package-fixture";
import { temporaryFolder } from "./temporary-folder";

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Started {
  readonly child: ChildProcess;
  /** Its standard output so far. */
  readonly stdout: () => string;
  readonly ended: Promise<Ended>;
}

/** A separate package with the real command and a provider that does nothing. */
export class TrivetFixture {
  readonly root = temporaryFolder();
  readonly home = temporaryFolder();
  readonly #main = join(this.root, "dist", "src", "cli", "main.js");

  /** @param main the module of the command in `src/cli` */
  constructor({ version = "0.0.1-dev", main = "main" } = {}) {
    writeFileSync(
      join(this.root, "package.json"),
      JSON.stringify({ name: "@trivet/constructs", version: "0.1.0" }),
    );
    writeBuiltPackage(this.root, { version });
    cpSync(bundledCommand(main), join(this.root, "dist", "src", "cli"), { recursive: true });
  }

  run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return this.start(args, env).ended;
  }

  /** Starts the command in a session without a terminal. */
  start(args: readonly string[], env: NodeJS.ProcessEnv = {}): Started {
    const child = spawn(process.execPath, [this.#main, ...args], {
      cwd: this.root,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"], HOME: this.home, TMPDIR: this.home, ...env },
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
    const ended = new Promise<Ended>((resolve) => {
      child.once("close", (code) => {
        resolve({ code, stdout, stderr });
      });
    });
    return { child, stdout: () => stdout, ended };
  }
}

/** Resolves when the process has printed a string; rejects with its output if it ends first. */
export function printed({ child, stdout, ended }: Started, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const check = () => {
      if (stdout().includes(text)) resolve();
    };
    child.stdout?.on("data", check);
    check();
    void ended.then(({ stdout: out, stderr }) => {
      reject(new Error(`ended without "${text}":\n${out}${stderr}`));
    });
  });
}
