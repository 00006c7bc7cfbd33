import { invalidFields, toSnakeCase } from "./call";

type Filter = (item: Readonly<Record<string, unknown>>) => boolean;

const problem = (description: string) => invalidFields([{ field: "filter", description }]);

interface Token {
  readonly kind: "word" | "text" | "sign";
  readonly value: string;
}

const maxDepth = 20;

/**
 * Parses a filter: comparisons of fields (`severity = HIGH`, `labels.team:*`, `createTime > "2026-01-01"`)
 * with `=`, `!=`, `<`, `<=`, `>`, `>=` and `:`, joined by `AND`, `OR`, `NOT` (or `-`) and parentheses. As the
 * standard requires, OR binds more tightly than AND, and terms side by side are joined by AND. A string may
 * begin or end with `*`. Functions and bare words are not supported.
 *
 * @throws HttpFailure
 * @see https://google.aip.dev/160
 */
export function parseFilter(text: string, fields: readonly string[]): Filter {
  const tokens = tokensOf(text);
  let at = 0;
  const peek = (): Token | undefined => tokens[at];
  const isKeyword = (word: string): boolean => peek()?.kind === "word" && peek()?.value === word;
  const isSign = (sign: string): boolean => peek()?.kind === "sign" && peek()?.value === sign;
  const take = (): Token => {
    const token = tokens[at++];
    if (token === undefined)
      throw problem("ends too early: a comparison is a field, an operator and a value");
    return token;
  };

  function conjunction(depth: number): Filter {
    if (depth > maxDepth) throw problem(`has more than ${maxDepth} parentheses within each other`);
    const terms = [disjunction(depth)];
    while (peek() !== undefined && !isSign(")")) {
      if (isKeyword("AND")) take();
      terms.push(disjunction(depth));
    }
    return (item) => terms.every((term) => term(item));
  }

  function disjunction(depth: number): Filter {
    const terms = [negation(depth)];
    while (isKeyword("OR")) {
      take();
      terms.push(negation(depth));
    }
    return (item) => terms.some((term) => term(item));
  }

  function negation(depth: number): Filter {
    if (!isKeyword("NOT") && !isSign("-")) return term(depth);
    take();
    const inner = term(depth);
    return (item) => !inner(item);
  }

  function term(depth: number): Filter {
    if (!isSign("(")) return comparison();
    take();
    const inner = conjunction(depth + 1);
    if (!isSign(")")) throw problem("has a parenthesis that is not closed");
    take();
    return inner;
  }

  function comparison(): Filter {
    const name = take();
    const [head = "", ...path] = name.value.split(".");
    const field = fields.find((each) => each === head || toSnakeCase(each) === head);
    if (name.kind !== "word" || field === undefined) {
      throw problem(`has ${JSON.stringify(name.value)} in place of a field`);
    }
    const sign = take();
    if (sign.kind !== "sign" || !Object.hasOwn(comparators, sign.value)) {
      throw problem(`needs a comparison after ${JSON.stringify(name.value)}`);
    }
    const value = take();
    if (value.kind === "sign") throw problem(`cannot compare with ${value.value}`);
    const isMet = comparators[sign.value] ?? (() => false);
    return (item) => isMet(valueAt(item, [field, path.join(".")]), value.value);
  }

  if (tokens.length === 0) return () => true;
  const filter = conjunction(0);
  if (peek() !== undefined) throw problem("has one closing parenthesis too many");
  return filter;
}

function tokensOf(text: string): readonly Token[] {
  const pattern = /\s*(?:"((?:[^"\\]|\\.)*)"|([\w.*/-]*[\w*])|(!=|<=|>=|[=<>:()-]))/gy;
  const tokens: Token[] = [];
  let end = 0;
  for (const match of text.trimEnd().matchAll(pattern)) {
    const [whole, quoted, word, sign] = match;
    end = match.index + whole.length;
    if (quoted !== undefined) {
      tokens.push({ kind: "text", value: quoted.replaceAll(/\\(.)/g, "$1") });
    } else if (word?.startsWith("-") === true) {
      tokens.push({ kind: "sign", value: "-" }, { kind: "word", value: word.slice(1) });
    } else if (word !== undefined) tokens.push({ kind: "word", value: word });
    else if (sign !== undefined) tokens.push({ kind: "sign", value: sign });
  }
  if (end < text.trimEnd().length) {
    throw problem(`cannot be read at ${JSON.stringify(text.slice(end, end + 20))}`);
  }
  return tokens;
}

function valueAt(
  item: Readonly<Record<string, unknown>>,
  [field, key]: readonly string[],
): unknown {
  const value = item[field ?? ""];
  if (key === "" || key === undefined) return value;
  const isMap = typeof value === "object" && value !== null && Object.hasOwn(value, key);
  return isMap ? Reflect.get(value, key) : undefined;
}

type Comparator = (value: unknown, text: string) => boolean;

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "boolean" || typeof value === "number"
    ? String(value)
    : undefined;

export function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const ordered =
  (isRight: (order: number) => boolean): Comparator =>
  (value, text) => {
    const left = textOf(value);
    return left !== undefined && isRight(compare(left, text));
  };

const equal: Comparator = (value, text) => {
  const left = textOf(value);
  if (left === undefined) return false;
  const [, before = "", middle = "", after = ""] = /^(\*?)([^]*?)(\*?)$/.exec(text) ?? [];
  if (before !== "" && after !== "") return left.includes(middle);
  if (before !== "") return left.endsWith(middle);
  return after === "" ? left === middle : left.startsWith(middle);
};

/** Implements `:`: an element of a list, a key of a map, or the same as `=`. `*` matches any value. */
const has: Comparator = (value, text) => {
  if (Array.isArray(value)) return text === "*" ? value.length > 0 : value.includes(text);
  if (typeof value === "object" && value !== null) {
    return text === "*" ? Object.keys(value).length > 0 : Object.hasOwn(value, text);
  }
  return text === "*" ? (value ?? "") !== "" : equal(value, text);
};

const comparators: Readonly<Record<string, Comparator>> = {
  "=": equal,
  "!=": (value, text) => !equal(value, text),
  ":": has,
  "<": ordered((order) => order < 0),
  "<=": ordered((order) => order <= 0),
  ">": ordered((order) => order > 0),
  ">=": ordered((order) => order >= 0),
};
