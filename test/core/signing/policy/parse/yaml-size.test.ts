import { readYamlDocuments } from "../../../../../src/core/signing/policy/parse/yaml-documents";
import { sample } from "../../../../all-tests";

const fullSize = 256 * 1024;
const smallSize = sample(fullSize, 4 * 1024);
const inBlock = "a: |\n  ";

/** The library reads them by the same code as nothing, and a block string. With `--all` they are as long. */
const similar = ["a: ", "a: >\n  ", "- ", "[", "{a: ", "a: &a "];

function sizeAfter(before: string, piece: string): number {
  // A line break ends the block, so that the rest is read as after nothing.
  const endsBlock = before === inBlock && piece.includes("\n");
  return similar.includes(before) || endsBlock ? smallSize : fullSize;
}

// Each took a minute or more when every problem was collected and explained.
test.each([
  "[",
  "]",
  "][",
  "{",
  "}",
  "[]",
  "[a, ",
  "[\n",
  '"',
  "'",
  '"\n',
  "'\n",
  '"a" ',
  "&a ",
  "*a ",
  "!a ",
  "!!str ",
  "# ",
  "#\n",
  "|\n",
  ">\n",
  "a: |\n\n",
  "- ",
  "? ",
  ": ",
  "a: ",
  "a:\n",
  "\n",
  "\t",
  "\r\n",
  "%YAML 1.2\n",
  "---\n",
  "...\n",
  "\ufeff",
  "a",
  "a b\n",
  " a\n",
  "a: b\n",
  "- a\n",
  "-\n",
  "\\",
  "a: &a\n",
  "a: *a\n",
  ", ",
  "a:b ",
  "<<: ",
  "\u{1f600}",
  " ",
  "  \n",
  '"\\\n',
  "1",
  "_",
  "0:",
])("256 KiB of %j are read or refused in linear time", (piece) => {
  for (const before of ["", 'a: "', inBlock, ...similar]) {
    const count = Math.floor((sizeAfter(before, piece) - 16) / Buffer.byteLength(piece));
    expect(readYamlDocuments(before + piece.repeat(count))).toBeDefined();
  }
});
