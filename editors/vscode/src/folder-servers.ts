import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type LogOutputChannel, window, workspace, type WorkspaceFolder } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { installedCommand } from "./installed-command";
import { languageClient } from "./language-client";
import { projectFolders } from "./project-folders";

/** A language server for each folder of the workspace that has a project: each may have another version of Trivet. */
export class FolderServers {
  readonly #log: LogOutputChannel;
  #clients: readonly LanguageClient[] = [];
  #last: Promise<void> = Promise.resolve();

  /** @param log receives the output of the servers and their clients */
  constructor(log: LogOutputChannel) {
    this.#log = log;
  }

  /** Restarts the servers for the current folders of the workspace. Shows the user what does not work. */
  restart(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#end();
      const folders = workspace.workspaceFolders ?? [];
      const clients = await Promise.all(folders.map((folder) => this.#clientFor(folder)));
      this.#clients = clients.filter((each) => each !== undefined);
    });
  }

  /** Ends the servers. */
  stop(): Promise<void> {
    return this.#inTurn(() => this.#end());
  }

  /** Waits for the last action: a client cannot be stopped while it starts, or started while it stops. */
  #inTurn(action: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(action).catch((error: unknown) => {
      this.#log.error(String(error));
    });
    return this.#last;
  }

  async #end(): Promise<void> {
    const running = this.#clients.filter((client) => client.needsStop());
    this.#clients = [];
    await Promise.allSettled(running.map((client) => client.stop()));
  }

  async #clientFor(folder: WorkspaceFolder): Promise<LanguageClient | undefined> {
    const projects = await projectFolders(folder);
    const [first] = projects;
    if (first === undefined) return undefined;
    const command = projects
      .map((project) => installedCommand(project, folder.uri.fsPath))
      .find((found) => found !== undefined);
    if (command === undefined) {
      this.#warn(
        `Trivet is not installed in ${first}. Run "npm install @trivet/constructs" there, then the command ` +
          `"Trivet: Restart".`,
      );
      return undefined;
    }
    if (!(await isNodeThere())) {
      this.#warn(
        `Trivet needs the command "node", which is not on the PATH of VS Code. Install Node.js, or start VS Code ` +
          `from a terminal where "node --version" works.`,
      );
      return undefined;
    }
    this.#log.info(`${folder.name}: ${command}`);
    const client = languageClient(folder, command, this.#log);
    // The client shows that the server does not start. The server's output is in the log.
    await client.start().catch((error: unknown) => {
      this.#log.error(`${folder.name}: ${String(error)}`);
    });
    return client;
  }

  #warn(message: string): void {
    this.#log.warn(message);
    // Resolves when the user closes it.
    void window.showWarningMessage(message);
  }
}

async function isNodeThere(): Promise<boolean> {
  try {
    await promisify(execFile)("node", ["--version"]);
    return true;
  } catch {
    return false;
  }
}
