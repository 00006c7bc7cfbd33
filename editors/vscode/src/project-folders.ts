import { dirname } from "node:path";
import { RelativePattern, workspace, type WorkspaceFolder } from "vscode";

/** The maximum number of projects in which to look for Trivet. */
const maxProjects = 100;

/** Returns the folders of the projects below a folder of the workspace, with the shortest path first. */
export async function projectFolders(folder: WorkspaceFolder): Promise<readonly string[]> {
  const files = await workspace.findFiles(
    new RelativePattern(folder, "**/cdktf.json"),
    "**/{node_modules,cdktf.out}/**",
    maxProjects,
  );
  const folders = files.map(({ fsPath }) => dirname(fsPath));
  return folders.sort((one, other) => one.length - other.length || (one < other ? -1 : 1));
}
