import { relative } from "node:path";

/**
 * What to tell somebody whose project was written: its files, and what to do next.
 *
 * @param project the absolute path of its folder
 * @param paths those of its files
 * @param workingFolder where the user is
 */
export function created(project: string, paths: readonly string[], workingFolder: string): string {
  const into = relative(workingFolder, project);
  const next = [...(into === "" ? [] : [`cd ${into}`]), "npm install", "npm test"];
  const listed = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join("\n");
  return `Created in ${project}:\n${listed(paths)}\n\nNext:\n${listed(next)}`;
}
