// @ts-check

const width = 100;

/**
 * @typedef {{ readonly summary: string, readonly details: readonly string[], readonly byDefault: string | undefined }} Doc
 *   the first sentence of a declared documentation, the others, and what applies by default
 */

/**
 * Reads the documentation of an attribute: full sentences. The meanings of an enumeration's values are taken out, because
 * comments list them.
 *
 * @param {string} text
 * @param {string} meanings the sentence with the meanings, as `enumMeanings` writes it
 * @returns {Doc}
 */
export function readDoc(text, meanings) {
  const prose = meanings === "" ? text : text.replace(`: ${meanings}`, ".");
  const sentences = prose.split(/(?<=[.!?])\s+(?=[^a-z])/);
  const byDefault = sentences.map((sentence) => /^By default,? (.+)\.$/.exec(sentence)?.[1]);
  const [summary = "", ...details] = sentences.filter((_, at) => byDefault[at] === undefined);
  return {
    summary: statement(summary),
    details,
    byDefault: byDefault.find((each) => each !== undefined),
  };
}

/** @param {string} sentence */
function statement(sentence) {
  if (/^What\b/.test(sentence)) throw new Error(`Begin with a noun, not with "What": ${sentence}`);
  return sentence.replace(/^Whether to /, "True to ").replace(/^Whether /, "True if ");
}

/**
 * Writes a comment from paragraphs and tags; nothing from empty ones.
 *
 * @param {readonly string[]} paragraphs the lines of a list are one paragraph
 * @param {readonly string[]} [tags]
 */
export function comment(paragraphs, tags = []) {
  const blocks = [...paragraphs, tags.join("\n")].filter((text) => text !== "");
  const lines = blocks.flatMap((text, at) => [
    ...(at === 0 ? [] : [""]),
    ...text.split("\n").flatMap((line) => wrapped(line)),
  ]);
  const [only = "", ...more] = lines;
  if (more.length === 0 && tags.length === 0) return `/** ${only} */`;
  return ["/**", ...lines.map((line) => ` * ${line}`.trimEnd()), " */"].join("\n");
}

/** @param {string} line */
function wrapped(line) {
  const indent = line.startsWith("- ") ? "  " : "";
  const lines = [];
  let current = "";
  // A comment must not end inside of a crontab line, and a line that begins with @ would be a tag.
  for (const [word] of line.replaceAll("*/", "*\\/").matchAll(/(?:`[^`]*`|\S)+/g)) {
    if (current !== "" && current.length + word.length > width - 7 && !word.startsWith("@")) {
      lines.push(current);
      current = indent + word;
    } else current = current === "" ? word : `${current} ${word}`;
  }
  return [...lines, current];
}

/** @param {string} text */
/**
 * A name such as macOS keeps its small letter.
 *
 * @param {string} text
 */
export const sentence = (text) =>
  `${/^[a-z]+[A-Z]/.test(text) ? text.charAt(0) : text.charAt(0).toUpperCase()}${text.slice(1)}.`;
