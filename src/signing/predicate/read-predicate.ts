import { readFileSync, statSync } from "node:fs";

const maxBytes = 32 * 1024 * 1024;

/** The JSON object in a file, or what is wrong with the file: "must …". */
export function readPredicate(
  path: string,
): { readonly predicate: object } | { readonly problem: string } {
  const got = `(got ${JSON.stringify(path)})`;
  let text: string;
  try {
    const found = statSync(path);
    if (!found.isFile()) return { problem: `must be a file ${got}` };
    if (found.size > maxBytes) return { problem: `must be a file of at most 32 MiB ${got}` };
    text = readFileSync(path, "utf8");
  } catch (error) {
    const code =
      typeof error === "object" && error !== null && "code" in error ? error.code : error;
    return {
      problem: `must be a file that can be read here, and that gives ${String(code)} ${got}`,
    };
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return { predicate: value };
    }
  } catch {
    // Said below.
  }
  return { problem: `must be a file with a JSON object ${got}` };
}
