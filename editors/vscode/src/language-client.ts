import { type LogOutputChannel, workspace, type WorkspaceFolder } from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

/**
 * Returns a client that starts `trivet lsp` for the files of a folder.
 *
 * @param command the path of the command `trivet`
 */
export function languageClient(
  folder: WorkspaceFolder,
  command: string,
  log: LogOutputChannel,
): LanguageClient {
  const below = (pattern: string) => ({ baseUri: folder.uri.toString(), pattern });
  return new LanguageClient(
    "trivet",
    "Trivet",
    {
      // The user's Node.js, not that of VS Code: it runs the app and the providers of the project.
      command: "node",
      args: [command, "lsp", ...argumentsFor(folder)],
      options: { cwd: folder.uri.fsPath },
    },
    {
      documentSelector: [
        { scheme: "file", language: "typescript", pattern: below("**/*") },
        { scheme: "file", language: "javascript", pattern: below("**/*") },
        { scheme: "file", pattern: below("**/cdktf.json") },
      ],
      workspaceFolder: folder,
      outputChannel: log,
    },
  );
}

/** Returns the arguments that the settings of a folder ask for. */
function argumentsFor(folder: WorkspaceFolder): string[] {
  const settings = workspace.getConfiguration("trivet", folder);
  const against = settings.get<string>("against", "");
  return [
    ...(against === "" ? [] : ["--against", against]),
    ...settings.get<string[]>("refuse", []).flatMap((each) => ["--refuse", each]),
    ...settings.get<string[]>("variableFiles", []).flatMap((each) => ["--var-file", each]),
  ];
}
