import { staticTable } from "./hpack-field";

/**
 * Writes a header block, without the dynamic table and without Huffman's code. Encode blocks that do not
 * change only once.
 */
export function headerBlock(fields: Readonly<Record<string, string>>): Buffer {
  const bytes: number[] = [];
  for (const [name, value] of Object.entries(fields)) {
    const exact = staticTable.findIndex((each) => each.name.text === name && each.value === value);
    if (exact >= 0 && value !== "") {
      bytes.push(0x80 | (exact + 1));
      continue;
    }
    const named = staticTable.findIndex((each) => each.name.text === name);
    if (named >= 0) putInteger(bytes, 0x0f, named + 1);
    else {
      bytes.push(0);
      putString(bytes, name);
    }
    putString(bytes, value);
  }
  return Buffer.from(bytes);
}

function putString(bytes: number[], text: string): void {
  const encoded = Buffer.from(text, "latin1");
  putInteger(bytes, 0x7f, encoded.length);
  for (const byte of encoded) bytes.push(byte);
}

function putInteger(bytes: number[], mask: number, value: number): void {
  if (value < mask) {
    bytes.push(value);
    return;
  }
  bytes.push(mask);
  let rest = value - mask;
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
}
