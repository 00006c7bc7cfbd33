import { printable, printableJson } from "./printable";

/** A stream that may be a terminal. */
interface Output {
  write(text: string): unknown;
}

/** Writes text. Nothing in it is interpreted by a terminal. */
export function writeText(output: Output, text: string): void {
  output.write(printable(text));
}

/** Writes text with our own styles. Foreign text in it must be {@link printable} already. */
export function writeStyled(output: Output, text: string): void {
  const parts = text.split(ownStyles);
  output.write(parts.map((part, at) => (at % 2 === 0 ? printable(part) : part)).join(""));
}

/** Bold, the colors from red to cyan, and their ends. */
// eslint-disable-next-line no-control-regex -- the sequences begin with it
const ownStyles = /(\u001b\[(?:1|22|3[1-6]|39)m)/;

/** Writes a value as JSON, on several lines. */
export function writeJson(output: Output, value: unknown): void {
  output.write(`${printableJson(value, 2)}\n`);
}
