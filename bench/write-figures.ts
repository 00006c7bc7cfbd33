import { readFileSync, writeFileSync } from "node:fs";

/**
 * Replaces the text between `<!-- NAME -->` and `<!-- end of NAME -->` in a file.
 *
 * @throws Error if the file does not have both
 */
export function writeFigures(path: string, name: string, text: string): void {
  const document = readFileSync(path, "utf8");
  const marked = new RegExp(`(<!-- ${name} -->\n)[^]*?(\n<!-- end of ${name} -->)`);
  if (!marked.test(document)) throw new Error(`${path} has no place for "${name}"`);
  writeFileSync(
    path,
    document.replace(marked, (_, before, after) => `${before}\n${text}\n${after}`),
  );
}
