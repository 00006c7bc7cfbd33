import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseExpression, type Spans } from "../../planner/expression/parse";
import type { Expression } from "../../planner/expression/syntax";
import { EvaluationError } from "../../planner/expression/value";
import {
  type BodyItem,
  isConfiguration,
  isOverride,
  itemsIn,
} from "../../core/hcl/configuration-blocks";
import { codeOf } from "../../core/hcl/template-sequences";
import { CommandError } from "../invocation/failure";

/** An expression, with the places of its parts in the text. */
export interface SourceExpression {
  readonly text: string;
  readonly parsed: Expression;
  readonly spans: Spans;
}

/** An argument or a block, with the comments above it and at the end of its last line. */
export interface SourceItem extends BodyItem {
  readonly comments: readonly string[];
  /** Where its comments begin. */
  readonly begin: number;
  /** Where it ends, including its comments. */
  readonly finish: number;
  /** Undefined for a block, and for an expression that is nested too deeply. */
  readonly expression: SourceExpression | undefined;
  readonly items: readonly SourceItem[];
}

export interface SourceFile {
  readonly name: string;
  readonly text: string;
  readonly items: readonly SourceItem[];
}

/** Reads the files in native syntax, except for overrides, which stay, and links. */
export async function readConfiguration(folder: string): Promise<readonly SourceFile[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort();
  return await Promise.all(
    names
      .filter((name) => isConfiguration(name) && name.endsWith(".tf") && !isOverride(name))
      .map(async (name) => {
        const text = (await readFile(join(folder, name), "utf8")).replace(/^\uFEFF/, "");
        return { name, text, items: new FileReader(name, text).items() };
      }),
  );
}

/** Returns the place of an index, such as `main.tf:12`. */
export const placeOf = ({ name, text }: Pick<SourceFile, "name" | "text">, at: number): string =>
  `${name}:${text.slice(0, at).split("\n").length}`;

class FileReader {
  readonly #code: string;

  constructor(
    readonly name: string,
    readonly text: string,
  ) {
    this.#code = codeOf(text, "body");
  }

  items(): readonly SourceItem[] {
    const items = this.#body(0, this.text.length);
    const argument = items.find(({ kind }) => kind === "argument");
    if (argument !== undefined) this.#refuse(argument.from, "an argument must be in a block");
    return items;
  }

  #body(start: number, end: number): readonly SourceItem[] {
    const found = itemsIn(this.text, this.#code, start, end);
    let before = start;
    const read = found.map((item) => {
      this.#refuseCode(before, item.from);
      before = item.to;
      const expression = item.kind === "block" ? undefined : this.#expression(item);
      const to = expression === undefined ? item.to : item.start + expression.text.length;
      return { item, expression, to };
    });
    this.#refuseCode(before, end);
    let begin = start;
    return read.map(({ item, expression, to }, at): SourceItem => {
      const next = found[at + 1]?.from ?? end;
      const above = commentsIn(this.text.slice(begin, item.from));
      const lineEnd = this.text.indexOf("\n", to);
      const isLast = at === found.length - 1;
      const finish = isLast ? end : Math.min(next, lineEnd === -1 ? next : lineEnd);
      const behind = commentsIn(this.text.slice(to, finish));
      const from = begin;
      begin = finish;
      const items = item.kind === "block" ? this.#body(item.start, item.end) : [];
      const isEmpty = item.kind === "block" && items.length === 0;
      const inside = isEmpty ? commentsIn(this.text.slice(item.start, item.end)) : [];
      const comments = [...above, ...inside, ...behind];
      return { ...item, to, comments, begin: from, finish, expression, items };
    });
  }

  #expression({ start, end }: BodyItem): SourceExpression | undefined {
    const text = this.text.slice(start, end);
    const spans: Spans = new Map();
    try {
      const parsed = parseExpression(text, spans);
      return { text: text.slice(0, spans.get(parsed)?.end), parsed, spans };
    } catch (error) {
      if (error instanceof EvaluationError && error.syntax !== undefined) {
        const { at, problem } = error.syntax;
        this.#refuse(start + at, problem);
      }
      if (error instanceof EvaluationError) return undefined;
      throw error;
    }
  }

  /** Refuses anything but space and comments between the items of a body. */
  #refuseCode(start: number, end: number): void {
    const at = this.#code.slice(start, end).search(/\S/);
    if (at !== -1) this.#refuse(start + at, "an argument or a block is expected");
  }

  #refuse(at: number, problem: string): never {
    throw new CommandError(
      `${placeOf(this, at)}: ${problem}.`,
      "Correct the file so that `terraform validate` accepts it. Nothing was written.",
    );
  }
}

/** Returns the lines of the comments in a text that otherwise contains only space, punctuation and strings. */
export const commentsIn = (text: string): readonly string[] =>
  [...text.matchAll(/"(?:[^"\\\n]|\\.)*"|(?:#|\/\/)(.*)|\/\*([^]*?)\*\//g)].flatMap(
    ([, line, lines]) => {
      if (line !== undefined) return [line.trimEnd()];
      return (lines ?? "").split("\n").flatMap((each) => {
        const text = each.replace(/^\s*\*?/, "").trim();
        return text === "" ? [] : [` ${text}`];
      });
    },
  );
