import { type Path } from "../../core/schema";
import { type CtyNumber, type CtyType, Decimal, numberText } from "../../core/provider-kit/values";
import { spend, tooMuchWork } from "./budget";

/** Why a value is not known before an apply. */
export interface UnknownReason {
  readonly kind: "apply" | "network" | "provider" | "function" | "variable" | "evaluation";
  /** The address that decides the value, such as `ids_endpoint.edge.create_time`, or the function or variable. */
  readonly of: string;
}

export class NotKnown {
  /** @param name equal for values that will be equal once they are known; undefined if that cannot be said */
  constructor(
    readonly reasons: readonly UnknownReason[],
    readonly name?: string,
  ) {}
}

/** Elements and members are values with marks of their own. */
type Content =
  | null
  | NotKnown
  | string
  | boolean
  | CtyNumber
  | readonly Value[]
  | ReadonlyMap<string, Value>;

/**
 * A value of Terraform's language, with its type.
 *
 * Lists, sets and tuples are arrays; the elements of a set differ. Maps and objects are maps by name, in Terraform's
 * spelling. A sensitive mark belongs to the value itself: the elements of a sensitive list have no marks of their own.
 *
 * @see {@link https://github.com/zclconf/go-cty/blob/main/docs/concepts.md}
 */
export class Value {
  /** True if the value and everything in it is known. */
  readonly isWhollyKnown: boolean;
  /** True if the value or anything in it is sensitive. */
  readonly containsSensitive: boolean;
  /** The steps that a visit of the whole value takes: one for each part, and one for eight characters. */
  readonly size: number;
  readonly #depth: number;
  #reasons: readonly UnknownReason[] | undefined;

  /** @throws TooMuchWork when it is nested too deeply, or when the evaluation has no steps left */
  constructor(
    readonly type: CtyType,
    readonly content: Content,
    readonly isSensitive = false,
  ) {
    const parts = this.parts();
    const text = typeof content === "string" ? content.length >>> 3 : 0;
    spend(1 + text + parts.length);
    let [isWhollyKnown, containsSensitive, size, depth] = [this.isKnown, isSensitive, 1 + text, 0];
    for (const part of parts) {
      isWhollyKnown &&= part.isWhollyKnown;
      containsSensitive ||= part.containsSensitive;
      size += part.size;
      if (part.#depth >= depth) depth = part.#depth + 1;
    }
    if (depth > maxDepth) throw tooMuchWork("TOO_MUCH_WORK", "The value is nested too deeply.");
    this.isWhollyKnown = isWhollyKnown;
    this.containsSensitive = containsSensitive;
    this.size = size;
    this.#depth = depth;
  }

  /** A string in Unicode's normal form C, as Terraform keeps all strings. */
  static string(content: string): Value {
    return new Value("string", content.normalize());
  }

  static number(content: CtyNumber): Value {
    return new Value("number", content);
  }

  static bool(content: boolean): Value {
    return new Value("bool", content);
  }

  static null(type: CtyType = "dynamic"): Value {
    return new Value(type, null);
  }

  static unknown(type: CtyType, ...reasons: readonly UnknownReason[]): Value {
    return new Value(type, new NotKnown(reasons));
  }

  static tuple(elements: readonly Value[]): Value {
    return new Value({ tuple: elements.map(({ type }) => type) }, elements);
  }

  static list(element: CtyType, elements: readonly Value[]): Value {
    return new Value({ list: element }, elements);
  }

  static map(element: CtyType, members: Iterable<readonly [string, Value]>): Value {
    return new Value({ map: element }, new Map(members));
  }

  static object(entries: Iterable<readonly [string, Value]>): Value {
    const members = new Map(entries);
    const fields = [...members].map(([name, { type }]) => ({ wire: name, name, type }));
    return new Value({ object: fields }, members);
  }

  get isNull(): boolean {
    return this.content === null;
  }

  /** True if the value itself is known. Its parts may be unknown. */
  get isKnown(): boolean {
    return !(this.content instanceof NotKnown);
  }

  /** Why the value or parts of it are not known. */
  reasons(): readonly UnknownReason[] {
    if (this.content instanceof NotKnown) return this.content.reasons;
    if (this.isWhollyKnown) return [];
    return (this.#reasons ??= joinReasons(this.parts()));
  }

  /** The elements or members; none for any other value. */
  parts(): readonly Value[] {
    if (Array.isArray(this.content)) return this.elements();
    return this.content instanceof Map ? [...this.members().values()] : [];
  }

  /** The elements of a known list, set or tuple; none for any other value. */
  elements(): readonly Value[] {
    return Array.isArray(this.content) ? (this.content as readonly Value[]) : [];
  }

  /** The members of a known map or object; none for any other value. */
  members(): ReadonlyMap<string, Value> {
    return this.content instanceof Map ? (this.content as ReadonlyMap<string, Value>) : noMembers;
  }

  /** The value, sensitive if it or another value is. */
  markedLike(...others: readonly Value[]): Value {
    return this.isSensitive || !others.some((other) => other.isSensitive)
      ? this
      : new Value(this.type, this.content, true);
  }

  marked(isSensitive: boolean): Value {
    return isSensitive === this.isSensitive
      ? this
      : new Value(this.type, this.content, isSensitive);
  }

  /** The value without marks, at any depth. */
  unmarked(): Value {
    return this.containsSensitive ? this.withParts((part) => part.unmarked()).marked(false) : this;
  }

  places(): Iterable<readonly [string | number, Value]> {
    return Array.isArray(this.content) ? this.elements().entries() : this.members();
  }

  /** The value with changed elements or members. A value without parts stays the same. */
  withParts(change: (part: Value, step: string | number) => Value): Value {
    const { content } = this;
    if (Array.isArray(content)) {
      return new Value(this.type, this.elements().map(change), this.isSensitive);
    }
    if (!(content instanceof Map)) return this;
    const members = [...this.members()].map(([name, part]) => [name, change(part, name)] as const);
    return new Value(this.type, new Map(members), this.isSensitive);
  }
}

/** Deeper values could overflow the call stack. */
const maxDepth = 500;

const noMembers: ReadonlyMap<string, Value> = new Map();

export const isNumber = (content: Content): content is CtyNumber =>
  typeof content === "number" || typeof content === "bigint" || content instanceof Decimal;

/** The text of a known primitive value in a template; undefined for any other value. */
export function primitiveText({ content }: Value): string | undefined {
  if (typeof content === "string") return content;
  if (typeof content === "boolean") return String(content);
  if (!isNumber(content)) return undefined;
  // Go's form.
  if (Object.is(content, -0)) return "-0";
  if (content === Infinity || content === -Infinity) return content > 0 ? "+Inf" : "-Inf";
  const text = numberText(content);
  spend(text.length >>> 3);
  return text;
}

/** The reasons of all values, each once. */
export function joinReasons(values: readonly Value[]): readonly UnknownReason[] {
  const found = new Map<string, UnknownReason>();
  for (const value of values) {
    for (const reason of value.reasons()) found.set(`${reason.kind} ${reason.of}`, reason);
  }
  return [...found.values()];
}

/** The text of a known string; empty for any other value. */
export const textOf = (value: Value | undefined): string =>
  typeof value?.content === "string" ? value.content : "";

/** An unknown value that depends on others, and is sensitive if one of them is. */
export const unknownFrom = (type: CtyType, values: readonly Value[]): Value =>
  Value.unknown(type, ...joinReasons(values)).markedLike(...values);

/** An error of the user in an expression. The message contains no values, because they can be secret. */
export class EvaluationError extends Error {
  override readonly name = "EvaluationError";
  /** True if the failing part belongs to something sensitive. */
  isSensitive = false;

  constructor(
    message: string,
    /** The attribute of a body. @default any part of the expression */
    readonly path?: Path,
    /** What is wrong with the syntax, and at which index. @default nothing */
    readonly syntax?: { readonly problem: string; readonly at: number },
  ) {
    super(message);
    // The stack trace is costly.
    spend(50);
  }
}

/** Thrown where Terraform's result cannot be computed exactly. The value is then unknown. */
export class NotComputed extends Error {
  override readonly name = "NotComputed";

  /** @param of what the result depends on. @default the function itself */
  constructor(readonly of?: string) {
    super();
  }
}

/** The reason for an unknown result where Terraform 1.11 fails, but later versions or OpenTofu do not. */
export const terraformVersion = "the version of Terraform";
