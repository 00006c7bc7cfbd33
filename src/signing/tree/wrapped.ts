/** Breaks a line at spaces. Words that are longer than the width, such as digests, are not broken. */
export function wrapped(text: string, width: number, hanging: string): readonly string[] {
  const [, indent = "", content = ""] = /^(\s*)(.*)$/.exec(text) ?? [];
  const lines: string[] = [];
  let line = indent;
  let isEmpty = true;
  for (const word of content.split(" ")) {
    if (!isEmpty && line.length + 1 + word.length > width) {
      lines.push(line);
      line = hanging + word;
    } else {
      line += isEmpty ? word : ` ${word}`;
    }
    isEmpty = false;
  }
  return [...lines, line];
}
