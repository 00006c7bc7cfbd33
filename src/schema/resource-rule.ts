import type { FindingCode, Path, Severity } from "./finding";

/** Values of one declaration, block or object under the names that they have in TypeScript. */
export type Values = Readonly<Record<string, unknown>>;

/** How a message writes the name of an attribute: as in TypeScript, or as in Terraform. */
export type Label = (name: string) => string;

/** Whether a value is not known yet: a token before synthesis, Terraform's unknown while planning. */
export type IsUnknown = (value: unknown) => boolean;

/** One thing that breaks a rule. */
export interface Breach<Name extends string = string> {
  /** The attribute or block that is to blame. */
  readonly name: Name;
  /** What in it is to blame. @default the whole of it */
  readonly path?: Path | undefined;
  readonly message: string;
}

/** A rule on several attributes of one declaration. */
export interface ResourceRule<Name extends string = string> {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** What the rule reads; it is skipped while one of them is unknown. */
  readonly inputs: readonly Name[];
  /** The rule as a sentence without a final stop, for the reference page. */
  readonly doc: (label: Label) => string;
  /**
   * What breaks the rule; undefined or nothing when it holds.
   *
   * The inputs are known, but what is nested in them may be unknown.
   */
  readonly broken: (
    values: Values,
    label: Label,
    isUnknown: IsUnknown,
  ) => Breach<Name> | readonly Breach<Name>[] | undefined;
}

/** Whether the configuration gives a value: neither absent nor null, nor a block that stands nowhere. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

/** Whether a value says more than its absence would. */
const isSaid = (value: unknown): boolean => isGiven(value) && value !== false && value !== "";

const quoted = (names: readonly string[], label: Label): string =>
  names.map((name) => `\`${label(name)}\``).join(", ");

/** A rule on how many of the attributes are given; the last one given is to blame. */
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
      const are = given.length === 0 ? "none is" : `${quoted(given, label)} are given`;
      return { name: given.at(-1) ?? names[0], message: `${doc(label)}, but ${are}` };
    },
  };
}

/** Exactly one of the attributes must be given. */
export function exactlyOneOf<const Name extends string>(
  ...names: readonly [Name, Name, ...Name[]]
): ResourceRule<Name> {
  return count(
    names,
    (label) => `exactly one of ${quoted(names, label)} must be given`,
    (given) => given === 1,
  );
}

/** The attributes exclude each other. */
export function conflicts<const Name extends string>(
  ...names: readonly [Name, Name, ...Name[]]
): ResourceRule<Name> {
  return count(
    names,
    (label) => `at most one of ${quoted(names, label)} may be given`,
    (given) => given <= 1,
  );
}

/** At least one of the attributes must be given; `false` and an empty text count as not given. */
export function atLeastOneOf<const Name extends string>(
  ...names: readonly [Name, Name, ...Name[]]
): ResourceRule<Name> {
  const doc = (label: Label): string => `at least one of ${quoted(names, label)} must be given`;
  return {
    code: "MISSING",
    severity: "error",
    inputs: names,
    doc,
    broken: (values, label) =>
      names.some((name) => isSaid(values[name]))
        ? undefined
        : { name: names[0], message: `${doc(label)}, but none is` },
  };
}

/** An attribute that may not be given together with others; `false` and an empty text count as not given. */
export function excludes<const Name extends string>(
  name: Name,
  ...others: readonly [Name, ...Name[]]
): ResourceRule<Name> {
  const doc = (label: Label): string => `\`${label(name)}\` excludes ${quoted(others, label)}`;
  return {
    code: "CONFLICT",
    severity: "error",
    inputs: [name, ...others],
    doc,
    broken: (values, label) => {
      if (!isSaid(values[name])) return undefined;
      const given = others.filter((other) => isSaid(values[other]));
      if (given.length === 0) return undefined;
      return { name, message: `${doc(label)}, but ${quoted(given, label)} is given too` };
    },
  };
}

/** An attribute that may only be given together with others. */
export function requires<const Name extends string>(
  name: Name,
  ...needed: readonly [Name, ...Name[]]
): ResourceRule<Name> {
  const doc = (label: Label): string => `\`${label(name)}\` needs ${quoted(needed, label)}`;
  return {
    code: "REQUIRES",
    severity: "error",
    inputs: [name, ...needed],
    doc,
    broken: (values, label) => {
      const missing = needed.filter((other) => !isGiven(values[other]));
      if (!isGiven(values[name]) || missing.length === 0) return undefined;
      return { name, message: `${doc(label)}: ${quoted(missing, label)} is missing` };
    },
  };
}

/** A warning about values that are accepted here, but not what a user is likely to want. */
export function advise<const Name extends string>(advice: {
  /** The attribute that the warning is shown at. */
  readonly name: Name;
  /** The other attributes that the condition reads. @default none */
  readonly reads?: readonly Name[];
  /** The advice as a sentence without a final stop; shown as it is, and on the reference page. */
  readonly doc: string;
  readonly when: (values: Values) => boolean;
}): ResourceRule<Name> {
  return {
    code: "ADVICE",
    severity: "warning",
    inputs: [advice.name, ...(advice.reads ?? [])],
    doc: () => advice.doc,
    broken: (values) =>
      advice.when(values) ? { name: advice.name, message: advice.doc } : undefined,
  };
}
