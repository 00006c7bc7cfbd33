import { commands, type ExtensionContext, window, workspace } from "vscode";
import { FolderServers } from "./folder-servers";

let servers: FolderServers | undefined;

/** Called by VS Code, once there is a `cdktf.json` in a workspace that the user trusts. */
export async function activate(context: ExtensionContext): Promise<void> {
  const log = window.createOutputChannel("Trivet", { log: true });
  const started = new FolderServers(log);
  servers = started;
  context.subscriptions.push(
    log,
    commands.registerCommand("trivet.restart", () => started.restart()),
    workspace.onDidChangeWorkspaceFolders(() => started.restart()),
    workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("trivet")) await started.restart();
    }),
  );
  await started.restart();
}

/** Called by VS Code before it ends. */
export async function deactivate(): Promise<void> {
  await servers?.stop();
}
