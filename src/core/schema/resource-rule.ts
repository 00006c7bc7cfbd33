import { isRecord, type Properties } from "../json/plain-json";
import type { FindingCode, Path, Severity } from "./finding";
import { warning } from "./warning";

/** Values of one declaration, block or object by their name in TypeScript. */
export type Values = Readonly<Record<string, unknown>>;

/** How a message writes the name of an attribute: as in TypeScript, or as in Terraform. */
export type Label = (name: string) => string;

/**
 * A message for users of TypeScript and of Terraform. If it contains names of attributes, it is a function, so that
 * each reader sees the names as they write them: `(label) => "use " + label("maxSize")`.
 */
export type Text = string | ((label: Label) => string);

export const textFor = (text: Text, label: Label): string =>
  typeof text === "string" ? text : text(label);

/** Checks whether a value is not known yet: a token before synthesis, an unknown value during the plan. */
export type IsUnknown = (value: unknown) => boolean;

/** One violation of a rule. */
export interface Breach<Name extends string = string> {
  /** The attribute or block to blame. */
  readonly name: Name;
  /** The blamed part of its value. @default all of it */
  readonly path?: Path | undefined;
  /** The problem, as a predicate such as `must …`, without a full stop. */
  readonly message: string;
  /** The blamed value, which the message then shows unless it is sensitive. */
  readonly got?: unknown;
}

/** A rule on several attributes of one declaration. */
export interface ResourceRule<Name extends string = string> {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** The code of the warning. @default the rule is an error */
  readonly warning?: string | undefined;
  /** The attributes and blocks that the rule reads. The rule is skipped while one of them is unknown. */
  readonly inputs: readonly Name[];
  /** True if the rule holds only for a Terraform that has write-only arguments. @default false */
  readonly needsWriteOnly?: boolean | undefined;
  /** The rule as a sentence without a full stop, for the reference page. */
  readonly doc: (label: Label) => string;
  /**
   * Returns the violations; undefined or an empty array without any.
   *
   * The inputs are known, but values nested in them can be unknown.
   */
  readonly broken: (
    values: Values,
    label: Label,
    isUnknown: IsUnknown,
  ) => Breach<Name> | readonly Breach<Name>[] | undefined;
}

/** Checks whether the configuration sets a value: it is neither absent nor null, nor an empty list. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

/** Checks whether a value differs from leaving it out. */
const isEffective = (value: unknown): boolean => isGiven(value) && value !== false && value !== "";

const quoted = (names: readonly string[], label: Label): string =>
  names.map((name) => `\`${label(name)}\``).join(", ");

/** `X is set`, `X, Y are set`. */
const are = (names: readonly string[], label: Label, what: string): string =>
  `${quoted(names, label)} ${names.length === 1 ? "is" : "are"} ${what}`;

/** Creates a rule on how many of the attributes are set. It reports the last one that is set. */
function count<const Name extends string>(
  names: readonly [Name, ...Name[]],
  doc: (label: Label) => string,
  isRight: (given: number) => boolean,
): ResourceRule<Name> {
  return {
    code: "CONFLICT",
    severity: "error",
    inputs: names,
    doc,
    broken: (values, label) => {
      const given = names.filter((name) => isGiven(values[name]));
      if (isRight(given.length)) return undefined;
      const blamed = given.at(-1);
      const message =
        blamed === undefined
          ? `needs exactly one of ${quoted(names, label)}`
          : `cannot be combined with ${quoted(given.slice(0, -1), label)}: ${doc(label)}`;
      return { name: blamed ?? names[0], message };
    },
  };
}

/** Exactly one of the attributes must be set. */
export function exactlyOneOf<const Name extends string>(
  ...names: readonly [Name, Name, ...Name[]]
): ResourceRule<Name> {
  return count(
    names,
    (label) => `exactly one of ${quoted(names, label)} must be set`,
    (given) => given === 1,
  );
}

/** At most one of the attributes can be set. */
export function conflicts<const Name extends string>(
  ...names: readonly [Name, Name, ...Name[]]
): ResourceRule<Name> {
  return count(
    names,
    (label) => `at most one of ${quoted(names, label)} can be set`,
    (given) => given <= 1,
  );
}

/** At least one of the attributes must be set. `false` and the empty string count as not set. */
export function atLeastOneOf<const Name extends string>(
  ...names: readonly [Name, Name, ...Name[]]
): ResourceRule<Name> {
  return {
    code: "MISSING",
    severity: "error",
    inputs: names,
    doc: (label) => `at least one of ${quoted(names, label)} must be set`,
    broken: (values, label) =>
      names.some((name) => isEffective(values[name]))
        ? undefined
        : { name: names[0], message: `needs at least one of ${quoted(names, label)}` },
  };
}

/** An attribute cannot be set together with others. `false` and the empty string count as not set. */
export function excludes<const Name extends string>(
  name: Name,
  ...others: readonly [Name, ...Name[]]
): ResourceRule<Name> {
  const must = (label: Label): string => `cannot be combined with ${quoted(others, label)}`;
  return {
    code: "CONFLICT",
    severity: "error",
    inputs: [name, ...others],
    doc: (label) => `\`${label(name)}\` ${must(label)}`,
    broken: (values, label) => {
      if (!isEffective(values[name])) return undefined;
      const given = others.filter((other) => isEffective(values[other]));
      if (given.length === 0) return undefined;
      return { name, message: `${must(label)} (${are(given, label, "set")})` };
    },
  };
}

/** An attribute can be set only together with others. */
export function requires<const Name extends string>(
  name: Name,
  ...needed: readonly [Name, ...Name[]]
): ResourceRule<Name> {
  const must = (label: Label): string => `needs ${quoted(needed, label)}`;
  return {
    code: "REQUIRES",
    severity: "error",
    inputs: [name, ...needed],
    doc: (label) => `\`${label(name)}\` ${must(label)}`,
    broken: (values, label) => {
      const missing = needed.filter((other) => !isGiven(values[other]));
      if (!isGiven(values[name]) || missing.length === 0) return undefined;
      return { name, message: `${must(label)} (${are(missing, label, "missing")})` };
    },
  };
}

/** Warns about values that are accepted, but probably not intended. */
export function advise<const Name extends string>(advice: {
  /** The code of the warning, such as `endpoint-without-network`: lowercase words joined by hyphens. It never changes. */
  readonly code: string;
  /** The attribute that the warning is shown at. */
  readonly name: Name;
  /** The other attributes that the condition reads. @default none */
  readonly reads?: readonly Name[];
  /** The advice as a predicate without a full stop, for the warning and the reference page. */
  readonly doc: Text;
  readonly when: (values: Values) => boolean;
}): ResourceRule<Name> {
  const { code } = warning(
    advice.code,
    `\`${advice.name}\` ${textFor(advice.doc, (name) => name)}`,
  );
  return {
    code: "ADVICE",
    severity: "warning",
    warning: code,
    inputs: [advice.name, ...(advice.reads ?? [])],
    doc: (label) => textFor(advice.doc, label),
    broken: (values, label) =>
      advice.when(values) ? { name: advice.name, message: textFor(advice.doc, label) } : undefined,
  };
}

/**
 * Warns if an attribute is set that the state keeps, although a write-only attribute could be set instead. Warns only
 * while planning, and only with Terraform 1.11 or newer, which has write-only arguments.
 *
 * @example preferWriteOnly("password", "passwordWo")
 */
export function preferWriteOnly<const Name extends string>(
  name: Name,
  writeOnly: Name,
): ResourceRule<Name> {
  const doc = (label: Label): string =>
    `is stored in the state; set the write-only \`${label(writeOnly)}\` instead`;
  return {
    ...advise({
      code: "prefer-write-only",
      name,
      doc: "is stored in the state, although a write-only attribute could be set instead",
      when: (values) => isGiven(values[name]),
    }),
    needsWriteOnly: true,
    doc: (label) => `\`${label(name)}\` ${doc(label)}, with Terraform 1.11 or newer`,
    broken: (values, label) => (isGiven(values[name]) ? { name, message: doc(label) } : undefined),
  };
}

/** Forbids two elements of a repeated block to have the same value of an attribute. Reports each repetition. */
export function uniqueIn<const Name extends string>(
  block: Name,
  attribute: string,
): ResourceRule<Name> {
  const doc = (label: Label): string =>
    `each \`${label(attribute)}\` of \`${label(block)}\` must be unique`;
  return {
    code: "INVALID_ARGUMENT",
    severity: "error",
    inputs: [block],
    doc,
    broken: (values, _label, isUnknown) => {
      const elements: unknown = values[block];
      if (!Array.isArray(elements)) return undefined;
      const first = new Map<unknown, number>();
      const breaches: Breach<Name>[] = [];
      elements.forEach((element: unknown, index) => {
        if (isUnknown(element) || !isRecord(element)) return;
        const value = element[attribute];
        if (value === undefined || value === null || isUnknown(value)) return;
        const other = first.get(value);
        if (other === undefined) first.set(value, index);
        else {
          const message = `must differ from that of element ${other}`;
          breaches.push({ name: block, path: [index, attribute], message, got: value });
        }
      });
      return breaches;
    },
  };
}

/** Returns the known elements of a block with their path steps. A single block may be given without a list. */
export function knownElements(
  value: unknown,
): readonly (readonly [step: readonly number[], element: Properties])[] {
  if (!Array.isArray(value)) return isRecord(value) ? [[[], value]] : [];
  return value.flatMap((element: unknown, index) =>
    isRecord(element) ? [[[index], element] as const] : [],
  );
}
