import type { JsonValue } from "../../../json/json-value";
import { BlockReader } from "../yaml/block-reader";
import { Cursor } from "../yaml/cursor";
import { LineIndex } from "../yaml/line-index";
import { YamlNodes } from "../yaml/yaml-nodes";
import { YamlProblem } from "../yaml/yaml-problem";
import { documentsOf, type YamlSource } from "../yaml/yaml-stream";

/** One parsed document, or what is wrong with it and in which line. */
type YamlDocument =
  | { readonly value: JsonValue; readonly lines: LineIndex }
  | { readonly problem: string; readonly line: number };

const maxBytes = 256 * 1024;

/**
 * Parses documents of YAML 1.2, which includes JSON.
 *
 * A document is read as every other reader of YAML reads it, or refused: readers differ in scalars such as
 * `yes`, in tabs and in rare characters, and a policy must not mean something else here than in a cluster.
 * Keys are unique strings, and size, depth and the expansion of aliases are limited. The time is linear in
 * the size of the text. Objects have no prototype.
 *
 * @see https://yaml.org/spec/1.2.2/
 */
export function readYamlDocuments(
  text: string,
): readonly YamlDocument[] | { readonly problem: string; readonly line?: number } {
  if (Buffer.byteLength(text) > maxBytes) {
    return { problem: `is larger than ${maxBytes / 1024} KiB` };
  }
  try {
    return documentsOf(text).map(read);
  } catch (error) {
    return problemOf(error);
  }
}

function read({ text, firstLine, isCutOff, problem }: YamlSource): YamlDocument {
  if (problem !== undefined) return problemOf(problem);
  const cursor = new Cursor(text, firstLine, isCutOff);
  const lines = new LineIndex(firstLine);
  try {
    return { value: new BlockReader(cursor, new YamlNodes(cursor, lines)).document(), lines };
  } catch (error) {
    return problemOf(error);
  }
}

function problemOf(error: unknown): { readonly problem: string; readonly line: number } {
  if (!(error instanceof YamlProblem)) throw error;
  return { problem: error.message, line: error.line };
}
