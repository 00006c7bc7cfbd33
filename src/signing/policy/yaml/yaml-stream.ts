import { YamlProblem } from "./yaml-problem";

/** The text of one document, or what is wrong with the lines before it. */
export interface YamlSource {
  /** Ends with a line break. */
  readonly text: string;
  /** Whether that line break was added. */
  readonly isCutOff: boolean;
  /** The number of its first line, from 1. */
  readonly firstLine: number;
  readonly problem?: YamlProblem | undefined;
}

// The printable characters of YAML 1.2, without those that YAML 1.1 takes for line breaks (U+0085, U+2028,
// U+2029): a comment would end there for some readers. A byte order mark is allowed only at the beginning.
const refused =
  /[^\t\n\r\u{20}-\u{7e}\u{a0}-\u{2027}\u{202a}-\u{d7ff}\u{e000}-\u{fefe}\u{ff00}-\u{fffd}\u{10000}-\u{10ffff}]|\r(?!\n)/u;

/**
 * Divides a text into documents.
 *
 * @throws YamlProblem if a character is not allowed
 * @see https://yaml.org/spec/1.2.2/#chapter-9-document-stream-productions
 */
export function documentsOf(text: string): readonly YamlSource[] {
  const body = text.replace(/^\u{feff}/u, "");
  const found = refused.exec(body);
  if (found !== null) throw refusedCharacter(body, found[0], found.index);
  const lines = body.replace(/\r\n/g, "\n").replace(/\n$/, "").split("\n");
  const documents = new Stream(lines).documents();
  const last = documents.length - 1;
  const isCutOff = !body.endsWith("\n");
  return documents.map((each, index) => ({ ...each, isCutOff: isCutOff && index === last }));
}

function refusedCharacter(text: string, character: string, at: number): YamlProblem {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const line = text.slice(0, at).split("\n").length;
  const advice = "remove it, or write it as an escape in double quotes";
  return new YamlProblem(line, `must not contain the character U+${code}: ${advice}`);
}

class Stream {
  readonly #lines: readonly string[];
  readonly #documents: Omit<YamlSource, "isCutOff">[] = [];
  #content: string[] = [];
  #firstLine = 1;
  #isStarted = false;
  #directive: { readonly line: number; readonly text: string } | undefined;
  #problem: YamlProblem | undefined;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  documents(): readonly Omit<YamlSource, "isCutOff">[] {
    for (const [index, line] of this.#lines.entries()) this.#add(line, index + 1);
    this.#end();
    return this.#documents;
  }

  #add(line: string, number: number): void {
    const mark = /^(---|\.\.\.)(?:[ \t]+(.*))?$/.exec(line);
    if (mark === null) {
      if (this.#isStarted || isEmpty(line)) this.#content.push(line);
      else if (line.startsWith("%")) this.#direct(line, number);
      else this.#begin(line, number);
      return;
    }
    const [, kind, rest = ""] = mark;
    if (kind === "---") {
      if (this.#isStarted) this.#end();
      this.#begin("", number);
    } else {
      if (!this.#isStarted) {
        this.#begin("", number);
        this.#problem ??= new YamlProblem(
          number,
          "must not have a line with ... before a document",
        );
      }
      this.#end();
    }
    if (!isEmpty(rest)) {
      this.#problem ??= new YamlProblem(number, `must have nothing after ${kind} in the same line`);
    }
  }

  #begin(line: string, number: number): void {
    if (!this.#isStarted) {
      // Only comments are in the lines before.
      this.#content = [];
      this.#firstLine = number;
      this.#isStarted = true;
    }
    if (this.#directive !== undefined && line !== "") {
      this.#problem ??= new YamlProblem(number, "must have a line with --- after a directive");
    }
    this.#content.push(line);
  }

  #direct(text: string, line: number): void {
    if (this.#directive !== undefined) {
      this.#problem ??= new YamlProblem(line, "must not have two directives");
    }
    this.#directive = { line, text };
    const version = /^%YAML[ \t]+(\d+\.\d+)[ \t]*(?:[ \t]#.*)?$/.exec(text)?.[1];
    if (version === "1.2") return;
    this.#problem ??= new YamlProblem(
      line,
      version === undefined
        ? "must not have a directive other than %YAML 1.2"
        : `is written for YAML ${version}, in which yes is not a string: only YAML 1.2 is supported`,
    );
  }

  #end(): void {
    if (this.#isStarted || this.#directive !== undefined) {
      if (!this.#isStarted) {
        this.#problem ??= new YamlProblem(
          this.#directive?.line ?? 1,
          "must have a line with --- after a directive",
        );
      }
      const text = `${this.#content.join("\n")}\n`;
      if (this.#documents.length === maxDocuments) {
        throw new YamlProblem(this.#firstLine, `must not have more than ${maxDocuments} documents`);
      }
      this.#documents.push({ text, firstLine: this.#firstLine, problem: this.#problem });
    }
    this.#content = [];
    this.#isStarted = false;
    this.#directive = undefined;
    this.#problem = undefined;
  }
}

// Far more than anybody writes, so that a problem in each of them does not take long.
const maxDocuments = 1_000;

const isEmpty = (line: string): boolean => /^[ \t]*(?:#|$)/.test(line);
