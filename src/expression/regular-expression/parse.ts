import { EvaluationError, NotComputed } from "../value";
import { complement, folded, perlClasses, posixClasses } from "./character-set";
import {
  type Assertion,
  isNullable,
  maxCodePoint,
  type Node,
  type Pattern,
  type Range,
} from "./node";

/** The flags in force: `i` ignores case, `m` has lines, `s` lets a dot match line breaks, `U` is lazy. */
type Flags = ReadonlySet<string>;

const assertions: Readonly<Record<string, Assertion>> = {
  A: "start",
  z: "end",
  b: "word",
  B: "notWord",
};

const controls: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

const maxRepeat = 1_000;

const fault = (): EvaluationError => new EvaluationError("The regular expression is invalid.");

/**
 * Parses a regular expression in the syntax of RE2, as Go does.
 *
 * @throws EvaluationError when it is invalid
 * @throws NotComputed when it contains what is not supported here, such as classes of Unicode
 * @see {@link https://github.com/google/re2/wiki/Syntax}
 */
export function parsePattern(text: string): Pattern {
  return new Parser(text).whole();
}

class Parser {
  readonly #text: string;
  readonly #names: string[] = [];
  #at = 0;
  #flags: Flags = new Set();
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Pattern {
    const node = this.#choice();
    if (this.#at < this.#text.length) throw fault();
    return { node, names: this.#names };
  }

  #peek(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  #skip(text: string): boolean {
    const isThere = this.#peek(text);
    if (isThere) this.#at += text.length;
    return isThere;
  }

  #match(form: RegExp): RegExpExecArray | undefined {
    form.lastIndex = this.#at;
    const match = form.exec(this.#text);
    if (match === null) return undefined;
    this.#at += match[0].length;
    return match;
  }

  /** The next character, as a code point. */
  #next(): number {
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined) throw fault();
    this.#at += code > 0xffff ? 2 : 1;
    return code;
  }

  #choice(): Node {
    this.#depth += 1;
    if (this.#depth > 200) throw new NotComputed();
    const flags = this.#flags;
    const options = [this.#sequence()];
    while (this.#skip("|")) options.push(this.#sequence());
    this.#flags = flags;
    this.#depth -= 1;
    return { kind: "choice", options };
  }

  #sequence(): Node {
    const parts: Node[] = [];
    while (this.#at < this.#text.length && !this.#peek("|") && !this.#peek(")")) {
      const node = this.#atom();
      if (node !== undefined) parts.push(this.#repeated(node));
    }
    return { kind: "sequence", parts };
  }

  #repeated(node: Node): Node {
    const match = this.#match(/(?:[*+?]|\{(\d+)(,(\d*))?\})(\??)/y);
    if (match === undefined) return node;
    if (/[*+?]|\{\d+(?:,\d*)?\}/y.test(this.#text.slice(this.#at, this.#at + 12))) throw fault();
    const [operator = "", low, comma, high, lazy] = match;
    const min = low === undefined ? Number(operator.startsWith("+")) : Number(low);
    const max = maximum(operator, comma, high, min);
    if (min > maxRepeat || (max !== Infinity && max > maxRepeat) || max < min) throw fault();
    if (isNullable(node) || (low !== undefined && hasCount(node))) throw new NotComputed();
    return { kind: "repeat", node, min, max, isLazy: (lazy === "?") !== this.#flags.has("U") };
  }

  /** One part, without what repeats it; undefined if it is only a change of flags. */
  #atom(): Node | undefined {
    if (this.#match(/[*+?]|\{\d+(?:,\d*)?\}/y) !== undefined) throw fault();
    if (this.#skip("(")) return this.#group();
    if (this.#skip("[")) return this.#class();
    if (this.#skip(".")) return set(this.#flags.has("s") ? complement([]) : complement([[10, 10]]));
    if (this.#skip("^")) return assertion(this.#flags.has("m") ? "lineStart" : "start");
    if (this.#skip("$")) return assertion(this.#flags.has("m") ? "lineEnd" : "end");
    if (!this.#skip("\\")) return this.#literal(this.#next());
    const where = this.#match(/[AzbB]/y)?.[0];
    if (where !== undefined) return assertion(assertions[where] ?? "start");
    return set(this.#perlClass() ?? this.#folding([this.#single()]));
  }

  #literal(code: number): Node {
    return set(this.#folding([[code, code]]));
  }

  #folding(ranges: readonly Range[]): readonly Range[] {
    return this.#flags.has("i") ? folded(ranges) : ranges;
  }

  #group(): Node | undefined {
    const named = this.#match(/\?P?<(\w+)>/y)?.[1];
    if (named === undefined && this.#peek("?")) return this.#flagged();
    if (named !== undefined && this.#names.includes(named)) throw new NotComputed();
    const index = this.#names.push(named ?? "");
    return { kind: "group", index, node: this.#closed() };
  }

  #flagged(): Node | undefined {
    const match = this.#match(/\?([imsU]*)(?:-([imsU]+))?([:)])/y);
    if (match === undefined || match[0] === "?)") throw fault();
    const outside = this.#flags;
    const removed = new Set(match[2]);
    this.#flags = new Set(
      [...outside, ...Array.from(match[1] ?? "")].filter((flag) => !removed.has(flag)),
    );
    if (match[3] === ")") return undefined;
    const node = this.#closed();
    this.#flags = outside;
    return node;
  }

  #closed(): Node {
    const node = this.#choice();
    if (!this.#skip(")")) throw fault();
    return node;
  }

  /** A class such as `\d`, after its backslash. */
  #perlClass(): readonly Range[] | undefined {
    const letter = this.#match(/[dswDSW]/y)?.[0];
    if (letter === undefined) return undefined;
    const ranges = this.#folding(perlClasses[letter.toLowerCase()] ?? []);
    return letter === letter.toLowerCase() ? ranges : complement(ranges);
  }

  /** A single character, after a backslash. */
  #single(): Range {
    const hex = this.#match(/x(?:\{([0-9a-fA-F]{1,8})\}|([0-9a-fA-F]{2}))/y);
    const code = hex === undefined ? this.#escaped() : parseInt(hex[1] ?? hex[2] ?? "", 16);
    if (code > maxCodePoint) throw fault();
    return [code, code];
  }

  #escaped(): number {
    if (this.#match(/[1-9](?!\d)/y) !== undefined) throw fault();
    const code = this.#next();
    const character = String.fromCodePoint(code);
    if (/[\dCEpPQ]/.test(character)) throw new NotComputed();
    if (code > 0x7f || (/[A-Za-z]/.test(character) && controls[character] === undefined))
      throw fault();
    return controls[character] ?? code;
  }

  #class(): Node {
    const isNegated = this.#skip("^");
    const ranges: Range[] = [];
    let isFirst = true;
    while (isFirst || !this.#peek("]")) {
      isFirst = false;
      ranges.push(...this.#item());
    }
    this.#skip("]");
    return set(isNegated ? complement(ranges) : ranges);
  }

  #item(): readonly Range[] {
    const posix = this.#match(/\[:(\^?)(\w+):\]/y);
    if (posix !== undefined) {
      const ranges = posixClasses[posix[2] ?? ""];
      if (ranges === undefined) throw fault();
      return posix[1] === "^" ? complement(this.#folding(ranges)) : this.#folding(ranges);
    }
    const perl = this.#perlMember();
    if (perl !== undefined) return perl;
    const low = this.#member();
    if (!this.#isRange()) return this.#folding([low]);
    this.#skip("-");
    const [from, to] = [low[0], this.#member()[1]];
    if (to < from) throw fault();
    return this.#folding([[from, to]]);
  }

  /** A dash is a range unless it is the last character. */
  #isRange(): boolean {
    return this.#peek("-") && !this.#peek("-]");
  }

  /** A class such as `\d` in brackets. */
  #perlMember(): readonly Range[] | undefined {
    const start = this.#at;
    const ranges = this.#skip("\\") ? this.#perlClass() : undefined;
    if (ranges === undefined) this.#at = start;
    return ranges;
  }

  /** A single character in brackets. */
  #member(): Range {
    if (this.#skip("\\")) return this.#single();
    const code = this.#next();
    return [code, code];
  }
}

const set = (ranges: readonly Range[]): Node => ({ kind: "set", ranges });
const assertion = (where: Assertion): Node => ({ kind: "assertion", where });

function maximum(
  operator: string,
  comma: string | undefined,
  high: string | undefined,
  min: number,
): number {
  if (operator.startsWith("?")) return 1;
  if (!operator.startsWith("{")) return Infinity;
  if (comma === undefined) return min;
  return high === "" || high === undefined ? Infinity : Number(high);
}

/** Checks whether something in a part is repeated a number of times: Go limits the product. */
function hasCount(node: Node): boolean {
  switch (node.kind) {
    case "set":
    case "assertion":
      return false;
    case "sequence":
      return node.parts.some(hasCount);
    case "choice":
      return node.options.some(hasCount);
    case "group":
      return hasCount(node.node);
    case "repeat":
      return node.min > 1 || (node.max !== Infinity && node.max > 1) || hasCount(node.node);
  }
}
