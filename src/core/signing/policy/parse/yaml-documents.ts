import { Composer, Lexer, LineCounter, Parser, type CST, type Document } from "yaml";
import type { JsonValue } from "../../../json/plain-json";
import { LineIndex, maxDepth, YamlReader } from "./yaml-reader";
import {
  isYamlProblem,
  type YamlProblem,
  yamlProblem,
  checkCharacters,
  lexemeCheck,
} from "./yaml-subset";

/** A parsed document, or its first problem. */
type YamlDocument =
  | { readonly value: JsonValue; readonly lines: LineIndex }
  | { readonly problem: string; readonly line: number };

const maxBytes = 256 * 1024;
// Far more than policies have, so that a problem in each of them does not take long.
const maxDocuments = 1_000;
// Eight for each value that is allowed, such as its indentation, name and line break.
const maxLexemes = 160_000;

/**
 * Parses documents of YAML 1.2, which includes JSON.
 *
 * A document is read as every other reader of YAML reads it, or refused: readers differ in scalars such as
 * `yes`, in tabs and in rare characters, and a policy must not mean something else here than in a cluster.
 * Keys are unique strings, and size, depth and the expansion of aliases are limited. The time is linear in
 * the size of the string. Objects have no prototype.
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
    return withoutStacks(() => documentsOf(text.replace(/^\u{feff}/u, "")));
  } catch (error) {
    return problemOf(error);
  }
}

/**
 * The library makes an error for each problem. Without stacks, that takes a third of the time. A frozen `Error`
 * keeps them.
 */
function withoutStacks<Result>(run: () => Result): Result {
  if (Object.getOwnPropertyDescriptor(Error, "stackTraceLimit")?.writable !== true) return run();
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function documentsOf(withReturns: string): YamlDocument[] {
  checkCharacters(withReturns);
  const text = withReturns.replace(/\r\n/g, "\n");
  const composer = new Composer({
    // YamlReader reads the scalars without quotes.
    schema: "failsafe",
    // The library's check takes quadratic time.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
  });
  const lines = new LineCounter();
  const lineOf = (offset: number): number => lines.linePos(offset).line;
  const documents = [...composer.compose(tokensOf(text, lines))];
  const [fault] = composer.streamInfo().errors;
  if (fault !== undefined) throw syntaxProblem(fault, lineOf);
  return documents.map((each) => read(each, text, lineOf));
}

function read(
  document: Document.Parsed,
  text: string,
  lineOf: (offset: number) => number,
): YamlDocument {
  try {
    const [fault] = [...document.errors, ...document.warnings];
    if (fault !== undefined) throw syntaxProblem(fault, lineOf);
    const { contents } = document;
    const lines = new LineIndex(lineOf(contents?.range[0] ?? 0));
    return { value: new YamlReader(text, lineOf, lines).value(contents, 1), lines };
  } catch (error) {
    return problemOf(error);
  }
}

/** The tokens, checked before the composer of the library sees them. */
function* tokensOf(text: string, lines: LineCounter): Generator<CST.Token> {
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  const problem = (message: string): Error =>
    yamlProblem("YAML", message, { at: lines.linePos(parser.offset).line });
  yield* inDocuments(parsed(text, parser, problem), problem);
}

function* parsed(
  text: string,
  parser: Parser,
  problem: (message: string) => Error,
): Generator<CST.Token> {
  const check = lexemeCheck(problem);
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    lexemes += 1;
    if (lexemes > maxLexemes) throw problem(`has more than ${maxLexemes} words and marks`);
    check(lexeme);
    yield* parser.next(lexeme);
    // The composer recurses. The stack also has the document, and a scalar.
    if (parser.stack.length > maxDepth + 2) throw problem(`has more than ${maxDepth} levels`);
  }
  yield* parser.end();
}

function* inDocuments(
  tokens: Iterable<CST.Token>,
  problem: (message: string) => Error,
): Generator<CST.Token> {
  let documents = 0;
  let hasDirective = false;
  for (const token of tokens) {
    if (token.type === "directive") {
      if (hasDirective) throw problem("must not have two directives");
      hasDirective = true;
    } else if (token.type === "document") {
      hasDirective = false;
      documents += 1;
      if (documents > maxDocuments) {
        throw problem(`must not have more than ${maxDocuments} documents`);
      }
    }
    yield token;
  }
  if (hasDirective) throw problem("must have a line with --- after a directive");
}

function syntaxProblem(
  { message, pos }: { readonly message: string; readonly pos: readonly [number, number] },
  lineOf: (offset: number) => number,
): YamlProblem {
  // Something missing at the beginning of a line is missing before it.
  const at = /^Missing|end with/.test(message) ? pos[0] - 1 : pos[0];
  return yamlProblem("YAML", `is not YAML: ${message}`, { at: lineOf(at) });
}

function problemOf(error: unknown): { readonly problem: string; readonly line: number } {
  if (!isYamlProblem(error)) throw error;
  return { problem: error.message, line: error.at ?? 1 };
}
