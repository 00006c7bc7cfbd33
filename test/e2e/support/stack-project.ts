import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { root } from "./build";
import { type Ended, type Started, startCommand } from "./command";
import { installation } from "./installation";
import type { Service } from "./service";
import type { Workspace } from "./workspace";

/** The library of an app, and the module of ours that goes with it. */
const modules = {
  cdktf: join(root, "dist", "src", "index.js"),
  cdktn: join(root, "dist", "src", "cdktn", "index.js"),
};

/** A library of constructs. */
export type Library = keyof typeof modules;

/** A cdktf project, for which `trivet deploy` and the like are called. */
export class StackProject {
  readonly folder: string;
  /** Temporary files of the commands. Short, because of the sockets in it. */
  readonly temporary: string;
  readonly #workspace: Workspace;
  readonly env: NodeJS.ProcessEnv;
  readonly #library: Library;

  constructor(service: Service, workspace: Workspace, library: Library = "cdktf") {
    this.folder = join(workspace.folder, "project");
    mkdirSync(this.folder);
    this.temporary = mkdtempSync(join(workspace.folder, "t-"));
    symlinkSync(join(root, "node_modules"), join(this.folder, "node_modules"));
    this.configure();
    this.#workspace = workspace;
    this.#library = library;
    this.env = {
      ...workspace.env,
      TF_CLI_CONFIG_FILE: undefined,
      TF_CLI_ARGS: undefined,
      TERRAFORM_BINARY_NAME: workspace.tool,
      TRIVET_IDS_ENDPOINT: service.url,
      TMPDIR: this.temporary,
      CI: "1",
    };
  }

  /** Writes cdktf.json. */
  configure(settings: Readonly<Record<string, unknown>> = {}): void {
    const config = { language: "typescript", app: "node main.js", projectId: "1", ...settings };
    writeFileSync(join(this.folder, "cdktf.json"), JSON.stringify(config));
  }

  /**
   * Writes the app.
   *
   * @param body statements that create stacks in `app`; `stack(id)` creates one with our provider
   */
  write(body: string): void {
    writeFileSync(
      join(this.folder, "main.js"),
      `const cdktf = require("${this.#library}");
const { acknowledge, ids } = require(${JSON.stringify(modules[this.#library])});
const app = new cdktf.App();
function stack(id) {
  const made = new cdktf.TerraformStack(app, id);
  new ids.IdsProvider(made, "ids", { project: "acme", zone: "us-central1-a", pollInterval: "10ms",
    cloudIdsCustomEndpoint: process.env.TRIVET_IDS_ENDPOINT });
  return made;
}
function endpoint(scope, id, props = {}) {
  return new ids.Endpoint(scope, id, { endpointId: id, severity: "HIGH",
    network: "projects/acme/global/networks/main", ...props });
}
${body}
app.synth();
`,
    );
  }

  /** Starts `trivet`. */
  start(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Started {
    return startCommand(process.execPath, this.commandLine(command, args), {
      cwd: this.folder,
      env: { ...this.env, ...env },
    });
  }

  /** The arguments with which node runs `trivet`. */
  commandLine(command: string, args: readonly string[]): readonly string[] {
    const main = join(root, "dist", "src", "cli", "main.js");
    // The others need no provider that Terraform could start, or install it themselves.
    const mirror = ["plan", "deploy", "destroy", "watch", "exec"].includes(command)
      ? ["--dir", installation().mirror]
      : [];
    return [main, command, ...mirror, ...args];
  }

  run(command: string, ...args: readonly string[]): Promise<Ended> {
    return this.start(command, args).ended;
  }

  /** Runs `trivet` on a terminal, and types something whenever it asks. */
  onTerminal(command: string, args: readonly string[], typed: string): Promise<Ended> {
    const words = [process.execPath, ...this.commandLine(command, args)];
    const line = words.map((word) => `'${word}'`).join(" ");
    // script(1) gives a command a terminal, on which it types what it reads.
    const child = spawn("script", ["-qefc", line, "/dev/null"], {
      cwd: this.folder,
      env: this.env,
      stdio: ["pipe", "pipe", "inherit"],
    });
    let output = "";
    let answers = 0;
    child.stdout.on("data", (data: Buffer) => {
      output += data.toString();
      const questions = output.split("is accepted:").length - 1;
      if (questions === answers) return;
      answers = questions;
      child.stdin.write(typed);
    });
    return new Promise((resolve) => {
      child.once("close", (code) => {
        resolve({ code: code ?? undefined, stdout: output, output });
      });
    });
  }

  /** Runs cdktf's own command through `trivet exec`. */
  cdktf(...args: readonly string[]): Promise<Ended> {
    const cdktf = join(dirname(require.resolve("cdktf-cli/package.json")), "bundle/bin/cdktf");
    return this.run("exec", "--", process.execPath, cdktf, ...args);
  }

  /** A tool for TERRAFORM_BINARY_NAME that is the real one, and which of its commands were called. */
  recordedTool(): { readonly command: string; readonly calls: () => readonly string[] } {
    const folder = mkdtempSync(join(this.#workspace.folder, "tool-"));
    const command = join(folder, this.#workspace.tool);
    const log = join(folder, "calls");
    const script = `#!/bin/sh\necho "$1" >>'${log}'\nexec ${this.#workspace.tool} "$@"\n`;
    writeFileSync(command, script, { mode: 0o755 });
    return { command, calls: () => readFileSync(log, "utf8").match(/^(?!version$).+$/gm) ?? [] };
  }

  /** What commands have left in the folder for temporary files. */
  leftovers(): readonly string[] {
    return readdirSync(this.temporary);
  }
}
