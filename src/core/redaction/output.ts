import { printable, printableJson } from "./printable";

/** A stream that may be a terminal. */
interface Output {
  write(text: string): unknown;
}

/** Writes text. A terminal interprets nothing in it. */
export function writeText(output: Output, text: string): void {
  output.write(printable(text));
}

/** Writes text with styles. Foreign text in it must already be {@link printable}. */
export function writeStyled(output: Output, text: string): void {
  const parts = text.split(ownStyles);
  output.write(parts.map((part, at) => (at % 2 === 0 ? printable(part) : part)).join(""));
}

/** Bold, the colors from red to cyan, and the ends of both. */
// eslint-disable-next-line no-control-regex -- the sequences begin with it
const ownStyles = /(\u001b\[(?:1|22|3[1-6]|39)m)/;

/** Writes a value as indented JSON. */
export function writeJson(output: Output, value: unknown): void {
  output.write(`${printableJson(value, 2)}\n`);
}
