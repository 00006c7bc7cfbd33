import { type Failure, failures } from "../../../failure/failure";
import { CST } from "yaml";

/** A document that is not YAML, or has parts that are refused. The message is a predicate such as "must …". */
export type YamlProblem = Failure<"YAML">;
export const [yamlProblem, isYamlProblem] = failures<"YAML">("YamlProblem");

// The printable characters of YAML 1.2, except what YAML 1.1 takes for line breaks (U+0085, U+2028,
// U+2029): a comment would end there for some readers. A byte order mark is allowed only at the beginning.
const refused =
  /[^\t\n\r\u{20}-\u{7e}\u{a0}-\u{2027}\u{202a}-\u{d7ff}\u{e000}-\u{fefe}\u{ff00}-\u{fffd}\u{10000}-\u{10ffff}]|\r(?!\n)/u;

/** Refuses characters that some readers of YAML refuse, or take for line breaks. */
export function checkCharacters(text: string): void {
  const found = refused.exec(text);
  if (found === null) return;
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const line = text.slice(0, found.index).split("\n").length;
  const advice = "remove it, or write it as an escape in double quotes";
  throw yamlProblem("YAML", `must not contain the character U+${code}: ${advice}`, { at: line });
}

/** Refuses lexemes that other libraries do not read, or read differently. */
export function lexemeCheck(problem: (message: string) => Error): (lexeme: string) => void {
  let brackets = 0;
  let before: string | null = null;
  return (lexeme) => {
    const type = before === "scalar" ? "text" : CST.tokenType(lexeme);
    const isInLine = type !== "space" && type !== "comment" && type !== "newline";
    if (isInLine && (before === "doc-start" || before === "doc-end")) {
      throw problem("must have nothing after --- or ... in the same line");
    }
    if (before === "doc-mode" && type === "doc-end") {
      throw problem("must not have a line with ... before a document");
    }
    if (type === "flow-seq-start" || type === "flow-map-start") brackets += 1;
    if (type === "flow-seq-end" || type === "flow-map-end") brackets -= 1;
    const wrong = problemOf(type, lexeme, brackets > 0);
    if (wrong !== undefined) throw problem(wrong);
    if (type !== "space") before = type;
  };
}

function problemOf(type: string | null, lexeme: string, isInBrackets: boolean): string | undefined {
  const quoted = JSON.stringify(lexeme.slice(0, 80));
  switch (type) {
    case "double-quoted-scalar":
      if (!/^(?:[^\\]|\\[^])*?\\\n[ \t]*\n/.test(lexeme)) return undefined;
      return "has an empty line after \\ at the end of a line, which readers understand differently";
    case "space":
      if (isInBrackets || !lexeme.includes("\t")) return undefined;
      return "is not YAML: a tab is allowed only in brackets, quotes and block strings";
    case "explicit-key-ind":
      return "has YAML that is not supported: a key must not begin with ?";
    case "directive-line":
      return directiveProblem(lexeme);
    case "tag":
      if (/^!!(?:str|map|seq)$/.test(lexeme)) return undefined;
      return `must not have the tag ${quoted}: only !!str, !!map and !!seq`;
    case "anchor":
    case "alias":
      if (/^.[\w-]+$/.test(lexeme)) return undefined;
      return `has YAML that is not supported: the name in ${quoted} must consist of letters, digits, _ and -`;
    default:
      return undefined;
  }
}

function directiveProblem(line: string): string | undefined {
  const version = /^%YAML[ \t]+(\d+\.\d+)$/.exec(line)?.[1];
  if (version === "1.2") return undefined;
  if (version === undefined) return "must not have a directive other than %YAML 1.2";
  return `is written for YAML ${version}, in which yes is not a string: only YAML 1.2 is supported`;
}
