import { join } from "node:path";
import { root } from "./build";
import { type Ended, type Started, startCommand, whileRunning } from "./command";
import { templateText } from "./template";
import { Workspace } from "./workspace";

/** `trivet local workspace open` of a template, with the installed provider. */
export class WorkspacePage {
  readonly workspace = new Workspace("terraform");
  readonly stateFolder = join(this.workspace.folder, "..", "platform");
  #started: Started | undefined;
  #url = "";

  constructor(configuration: string, env: NodeJS.ProcessEnv = {}) {
    this.workspace.write(templateText(configuration));
    Object.assign(this.workspace.env, env);
  }

  /** Starts the command, and waits until it has printed the address. */
  async open(): Promise<string> {
    const started = this.trivet("open");
    this.#started = started;
    const printed = new Promise<void>((resolve) => {
      let text = "";
      started.child.stdout?.on("data", (data: Buffer) => {
        text += data.toString();
        const [url] = /^http:\S+$/m.exec(text) ?? [];
        if (url === undefined) return;
        this.#url = url;
        resolve();
      });
    });
    await whileRunning(started, printed);
    return this.#url;
  }

  get started(): Started {
    if (this.#started === undefined) throw new Error("the page is not open");
    return this.#started;
  }

  /** Sends JSON to the server, or reads from it. */
  async ask(path: string, body?: unknown): Promise<Response> {
    const { origin, hash } = new URL(this.#url);
    const headers = {
      authorization: `Bearer ${hash.slice("#token=".length)}`,
      "content-type": "application/json",
    };
    return await fetch(
      origin + path,
      body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) },
    );
  }

  /** Runs a `trivet local workspace` command with the same template and state. */
  trivet(verb: string, ...args: readonly string[]): Started {
    const main = join(root, "dist", "src", "cli", "main.js");
    const { folder, env } = this.workspace;
    const given = ["local", "workspace", verb, folder, "--state", this.stateFolder, ...args];
    return startCommand(process.execPath, [main, ...given], { cwd: folder, env });
  }

  /** Ends the server as a terminal does. */
  async close(signal: NodeJS.Signals = "SIGTERM"): Promise<Ended> {
    const { child, ended } = this.started;
    child.kill(signal);
    return await ended;
  }
}
