import type { CtyType } from "../../../core/provider-kit/values";
import type * as re2Module from "../../../core/regular-expression/re2";
import { spend } from "../budget";
import { convert } from "../convert";
import type { TerraformFunction } from "../function";
import { EvaluationError, NotComputed, textOf, Value } from "../value";
import { stringOf, stringParameter, requireFew } from "./arguments";

/** Loaded when an expression first needs it, because that takes longer than most plans. */
let loaded: typeof re2Module | undefined;

/** The limit of characters times instructions for all matches in a text: a few seconds. */
const maxWork = 100_000_000;

/** A regular expression of Go, with the names of its groups, which are empty for unnamed groups. */
class Pattern {
  readonly names: readonly string[];
  readonly #compiled: re2Module.RE2JS;

  /** @throws EvaluationError when it is invalid */
  constructor(text: string) {
    // A dynamic import would make all evaluation asynchronous.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    loaded ??= require("../../../core/regular-expression/re2") as typeof re2Module;
    const { RE2JS } = loaded;
    spend(text.length);
    try {
      this.#compiled = RE2JS.compile(text);
    } catch (error) {
      if (!(error instanceof Error) || !error.name.startsWith("RE2JS")) throw error;
      // Terraform accepts two groups with the same name.
      if (error.message.includes("duplicate")) throw new NotComputed();
      throw new EvaluationError("The regular expression is invalid.");
    }
    const names = Array<string>(this.#compiled.groupCount()).fill("");
    for (const [name, index] of Object.entries(this.#compiled.namedGroups()))
      names[index - 1] = name;
    this.names = names;
  }

  /** The matches from left to right. As in Go, an empty match directly after another match does not count. */
  *matchesIn(text: string): Generator<Match> {
    const matcher = this.#compiled.matcher(text);
    let previous = -1;
    let done = 0;
    for (let at = 0; at <= text.length;) {
      // In the worst case, each instruction is tried at each character.
      const work = this.#compiled.programSize() * (text.length - at);
      done += work;
      if (done > maxWork) throw new NotComputed();
      spend(Math.ceil(work / 64));
      if (!matcher.find(at)) return;
      const groups = Array.from({ length: this.names.length + 1 }, (_, index) =>
        matcher.group(index),
      );
      const [begin, end] = [matcher.start(), matcher.end()];
      if (end > at || begin !== previous) yield { begin, end, groups };
      previous = end;
      at = end > at ? end : at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
    }
  }

  /** The type of a match: a string, or the groups in a tuple, or in an object if they have names. */
  get type(): CtyType {
    const { names } = this;
    if (names.length === 0) return "string";
    if (!this.#isNamed) return { tuple: names.map(() => "string") };
    if (names.includes("")) {
      throw new EvaluationError("Either all groups must have names, or none.");
    }
    return { object: names.map((name) => ({ wire: name, name, type: "string" })) };
  }

  get #isNamed(): boolean {
    return this.names.some((name) => name !== "");
  }

  valueOf({ groups }: Match): Value {
    const [whole, ...texts] = groups.map((text) =>
      text === null ? Value.null("string") : stringOf(text),
    );
    if (texts.length === 0) return whole ?? Value.null("string");
    if (!this.#isNamed) return Value.tuple(texts);
    return Value.object(texts.map((text, at) => [this.names[at] ?? "", text]));
  }

  /** As in Go, a name in a replacement is as long as possible: `$1x` is the group `1x`. */
  expanded(template: string, { groups }: Match): string {
    return template.replace(
      /\$(?:\$|([\p{L}\p{Nd}_]+)|\{([\p{L}\p{Nd}_]+)\})/gu,
      (_all, bare?: string, braced?: string) => {
        const name = bare ?? braced;
        if (name === undefined) return "$";
        const isNumber = /^(?:0|[1-9]\d{0,7})$/.test(name);
        const named = isNumber ? Number(name) : this.names.indexOf(name) + 1;
        return (isNumber || named > 0 ? groups[named] : "") ?? "";
      },
    );
  }
}

interface Match {
  readonly begin: number;
  readonly end: number;
  /** The text of the match and of its groups; null for a group that did not match. */
  readonly groups: readonly (string | null)[];
}

/** Replaces all matches. In the replacement, `$1` and `${name}` are the groups. */
export function replaceMatches(text: string, expression: string, replacement: string): string {
  const pattern = new Pattern(expression);
  let result = "";
  let from = 0;
  for (const match of pattern.matchesIn(text)) {
    result += text.slice(from, match.begin) + pattern.expanded(replacement, match);
    spend(result.length >>> 10);
    from = match.end;
  }
  return result + text.slice(from);
}

/** The type of a match if the pattern is known. */
const typeFrom = (pattern: Value | undefined): CtyType =>
  pattern?.isKnown === true ? new Pattern(textOf(pattern)).type : "dynamic";

const parameters = [stringParameter("pattern"), stringParameter("string")];

/** @see {@link https://developer.hashicorp.com/terraform/language/functions/regex} */
export const regexFunctions: Readonly<Record<string, TerraformFunction>> = {
  regex: {
    parameters,
    returns: ([pattern]) => typeFrom(pattern),
    call: ([expression, text]) => {
      const pattern = new Pattern(textOf(expression));
      const { type } = pattern;
      const [match] = pattern.matchesIn(textOf(text));
      if (match !== undefined) return convert(pattern.valueOf(match), type);
      throw new EvaluationError("The regular expression does not match the string.");
    },
  },
  regexall: {
    parameters,
    returns: ([pattern]) => ({ list: typeFrom(pattern) }),
    call: ([expression, text]) => {
      const pattern = new Pattern(textOf(expression));
      const { type } = pattern;
      const found: Value[] = [];
      for (const match of pattern.matchesIn(textOf(text))) {
        found.push(pattern.valueOf(match));
        requireFew(found.length);
      }
      return Value.list(type, found);
    },
  },
};
