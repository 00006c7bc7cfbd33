import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BuildEvent } from "../../../src/local/workspace/page/page-data";
import { buildEvents } from "../../local/workspace/page/build-events";
import { root } from "./build";
import { type Ended, type Started, startCommand, whileRunning } from "./command";
import { templateText } from "./template";
import { Workspace } from "./workspace";

/** Relative to the folder in which the command runs. */
const templateFolder = "cdktf.out/stacks/dev";

/** `trivet local workspace open` of a template, with the installed provider. */
export class WorkspacePage {
  readonly workspace = new Workspace("terraform");
  readonly stateFolder = join(this.workspace.folder, "..", "platform");
  #started: Started | undefined;
  #url = "";

  constructor(configuration: string) {
    const template = join(this.workspace.folder, templateFolder);
    mkdirSync(template, { recursive: true });
    writeFileSync(join(template, "main.tf"), templateText(configuration));
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

  /** Starts a build without a browser. */
  async start(request: object): Promise<void> {
    const { origin, headers } = this.#server;
    const body = JSON.stringify(request);
    const { status } = await fetch(`${origin}/api/build`, { method: "POST", headers, body });
    expect(status).toBe(202);
  }

  async interrupt(): Promise<void> {
    const { origin, headers } = this.#server;
    await fetch(`${origin}/api/interrupt`, { method: "POST", headers, body: "{}" });
  }

  /** Waits until the running build has ended. */
  async finished(): Promise<BuildEvent | undefined> {
    const { origin, headers } = this.#server;
    return (await buildEvents(origin, headers, "finished")).at(-1);
  }

  get #server() {
    const { origin, hash } = new URL(this.#url);
    const authorization = `Bearer ${hash.slice("#token=".length)}`;
    return { origin, headers: { authorization, "content-type": "application/json" } };
  }

  /** Runs a `trivet local workspace` command with the same template and state. */
  trivet(verb: string, ...args: readonly string[]): Started {
    const main = join(root, "dist", "src", "cli", "main.js");
    const { folder, env } = this.workspace;
    const given = [
      "local",
      "workspace",
      verb,
      templateFolder,
      "--state",
      this.stateFolder,
      ...args,
    ];
    return startCommand(process.execPath, [main, ...given], { cwd: folder, env });
  }

  /** Ends the server as a terminal does. */
  async close(signal: NodeJS.Signals = "SIGTERM"): Promise<Ended> {
    const { child, ended } = this.started;
    child.kill(signal);
    return await ended;
  }
}
