import { relative } from "node:path";

/**
 * Returns the message after a project was written: its files and the next steps.
 *
 * @param project the absolute path of its folder
 * @param paths the paths of its files
 * @param workingFolder the user's working folder
 */
export function created(project: string, paths: readonly string[], workingFolder: string): string {
  const into = relative(workingFolder, project);
  const next = [...(into === "" ? [] : [`cd ${into}`]), "npm install", "npm test"];
  const listed = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join("\n");
  return `Created in ${project}:\n${listed(paths)}\n\nNext:\n${listed(next)}`;
}
