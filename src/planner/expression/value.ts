import { type Path } from "../../core/schema";
import { type CtyNumber, type CtyType, Decimal, numberText } from "../../core/provider-kit/values";
import { spend, tooMuchWork } from "./budget";

/** A reason for which a value is not known before an apply. */
export interface UnknownReason {
  /** With `evaluation`, the address is that of what could not be evaluated here. */
  readonly kind: "apply" | "network" | "provider" | "function" | "variable" | "evaluation";
  /** The address, such as `ids_endpoint.edge.create_time`, or the name of the function or variable. */
  readonly of: string;
}

/** The content of a value that is not known. */
export class NotKnown {
  /** @param name the same for values that are the same when they are known; undefined if that is not known */
  constructor(
    readonly reasons: readonly UnknownReason[],
    readonly name?: string,
  ) {}
}

/** The content of a value: elements and members are values with marks of their own. */
type Content =
  null | NotKnown | string | boolean | CtyNumber | readonly Value[] | ReadonlyMap<string, Value>;

/**
 * A value of Terraform's language, with its type.
 *
 * Lists, sets and tuples are arrays; a set has no equal elements. Maps and objects are maps from names, in
 * Terraform's spelling. A sensitive mark is on the value itself: that of a list does not imply one of its elements.
 *
 * @see {@link https://github.com/zclconf/go-cty/blob/main/docs/concepts.md}
 */
export class Value {
  /** True if the value and everything in it is known. */
  readonly isWhollyKnown: boolean;
  /** True if the value or anything in it is sensitive. */
  readonly containsSensitive: boolean;
  /** The number of values in it and of eight characters each: the steps that it takes to look at all of it. */
  readonly size: number;
  readonly #depth: number;
  #reasons: readonly UnknownReason[] | undefined;

  /** @throws TooMuchWork when it is nested too deeply, or the running evaluation has no steps left */
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

  /** A string. Terraform keeps all of them in Unicode's normal form C. */
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

  static map(element: CtyType, members: ReadonlyMap<string, Value>): Value {
    return new Value({ map: element }, members);
  }

  static object(members: ReadonlyMap<string, Value>): Value {
    const fields = [...members].map(([name, { type }]) => ({ wire: name, name, type }));
    return new Value({ object: fields }, members);
  }

  get isNull(): boolean {
    return this.content === null;
  }

  /** True if the value itself is known. Its elements may not be. */
  get isKnown(): boolean {
    return !(this.content instanceof NotKnown);
  }

  /** The reasons for which the value or parts of it are not known. */
  reasons(): readonly UnknownReason[] {
    if (this.content instanceof NotKnown) return this.content.reasons;
    if (this.isWhollyKnown) return [];
    return (this.#reasons ??= joinReasons(this.parts()));
  }

  /** The elements or members; none of any other value. */
  parts(): readonly Value[] {
    if (Array.isArray(this.content)) return this.elements();
    return this.content instanceof Map ? [...this.members().values()] : [];
  }

  /** The elements of a list, set or tuple that is known. */
  elements(): readonly Value[] {
    return Array.isArray(this.content) ? (this.content as readonly Value[]) : [];
  }

  /** The members of a map or an object that is known. */
  members(): ReadonlyMap<string, Value> {
    return this.content instanceof Map ? (this.content as ReadonlyMap<string, Value>) : noMembers;
  }

  /** The value with the mark of another one added to its own. */
  markedLike(...others: readonly Value[]): Value {
    return this.isSensitive || !others.some((other) => other.isSensitive)
      ? this
      : new Value(this.type, this.content, true);
  }

  /** The value with or without a mark of its own. */
  marked(isSensitive: boolean): Value {
    return isSensitive === this.isSensitive
      ? this
      : new Value(this.type, this.content, isSensitive);
  }

  /** The value without any mark, at any depth. */
  unmarked(): Value {
    return this.containsSensitive ? this.withParts((part) => part.unmarked()).marked(false) : this;
  }

  /** The elements by index, or the members by name. */
  places(): Iterable<readonly [string | number, Value]> {
    return Array.isArray(this.content) ? this.elements().entries() : this.members();
  }

  /** The value with other elements or members. One without any is the same. */
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

/** Deeper values are refused, so that none overflows the call stack. */
const maxDepth = 500;

const noMembers: ReadonlyMap<string, Value> = new Map();

/** Checks whether the content is a number. */
export const isNumber = (content: Content): content is CtyNumber =>
  typeof content === "number" || typeof content === "bigint" || content instanceof Decimal;

/** The text of a known primitive value, as in a template. */
export function primitiveText({ content }: Value): string | undefined {
  if (typeof content === "string") return content;
  if (typeof content === "boolean") return String(content);
  if (!isNumber(content)) return undefined;
  // Go writes infinite numbers in this way.
  if (Object.is(content, -0)) return "-0";
  const text = numberText(content)
    .replace(/^Infinity$/, "+Inf")
    .replace(/^-Infinity$/, "-Inf");
  spend(text.length >>> 3);
  return text;
}

/** Joins reasons, without repetition. */
export function joinReasons(values: readonly Value[]): readonly UnknownReason[] {
  const found = new Map<string, UnknownReason>();
  for (const value of values) {
    for (const reason of value.reasons()) found.set(`${reason.kind} ${reason.of}`, reason);
  }
  return [...found.values()];
}

/** The text of a value that is a known string. */
export const textOf = (value: Value | undefined): string =>
  typeof value?.content === "string" ? value.content : "";

/** A value that depends on others that are not known, and is sensitive like them. */
export const unknownFrom = (type: CtyType, values: readonly Value[]): Value =>
  Value.unknown(type, ...joinReasons(values)).markedLike(...values);

/** A fault in an expression, for the user. It contains no values, which can be secret. */
export class EvaluationError extends Error {
  override readonly name = "EvaluationError";
  /** True if what fails is a part of what is sensitive. */
  isSensitive = false;

  constructor(
    message: string,
    /** The attribute of a body. @default any part of the expression */
    readonly path?: Path,
    /** What is wrong with the syntax, and at which index. @default nothing */
    readonly syntax?: { readonly problem: string; readonly at: number },
  ) {
    super(message);
    // An error has the names of all callers.
    spend(50);
  }
}

/** Thrown by what is not computed here, or not for these operands. The result is then not known. */
export class NotComputed extends Error {
  override readonly name = "NotComputed";

  /** @param of what the result depends on, if it is not only the function */
  constructor(readonly of?: string) {
    super();
  }
}

/** What a result depends on where Terraform 1.11 fails, but later versions and OpenTofu do not. */
export const terraformVersion = "the version of Terraform";
