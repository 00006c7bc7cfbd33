import { isObject, isRecord } from "../../json/plain-json";

/** The types that a parameter can have. */
export type ParameterType = "string" | "number" | "bool" | "list(string)";

/** The rules for the values of a parameter. Do not modify the object: results are cached. */
export interface ParameterRules {
  readonly type: ParameterType;
  readonly formType: string;
  /** Empty if users enter any value. */
  readonly options: readonly ParameterOption[];
  /** Undefined if there is no such block. Even an empty block restricts numbers to integers. */
  readonly validation: ParameterValidation | undefined;
  /** Whether values are read as coder's library does, which knows more numbers, and null in lists. */
  readonly isPlatforms?: boolean;
}

/** One of the values from which users choose. */
export interface ParameterOption {
  readonly name: string;
  readonly value: string;
}

/** Bounds, direction and regular expression; null means unset. */
export interface ParameterValidation {
  readonly min?: number | bigint | null | undefined;
  readonly max?: number | bigint | null | undefined;
  readonly monotonic?: string | null | undefined;
  readonly regex?: string | null | undefined;
  /** Custom message, in which `{min}`, `{max}` and `{value}` are replaced. */
  readonly error?: string | null | undefined;
}

/** The form controls of a type, with the default first. */
interface FormTypes {
  readonly withOptions: readonly [string, ...string[]];
  readonly withoutOptions: readonly [string, ...string[]];
}

/** The form controls of each type. All others are refused, in particular `error`. */
export const formTypes: Readonly<Record<ParameterType, FormTypes>> = {
  string: { withOptions: ["radio", "dropdown"], withoutOptions: ["input", "textarea"] },
  number: { withOptions: ["radio", "dropdown"], withoutOptions: ["input", "slider"] },
  bool: { withOptions: ["radio", "dropdown"], withoutOptions: ["checkbox", "switch"] },
  "list(string)": { withOptions: ["radio", "multi-select"], withoutOptions: ["tag-select"] },
};

/** Returns the form controls that a parameter can have, the default first. */
export function formTypesFor(
  type: ParameterType,
  hasOptions: boolean,
): readonly [string, ...string[]] {
  return formTypes[type][hasOptions ? "withOptions" : "withoutOptions"];
}

/** Returns the form control of a parameter that does not set one. */
export function defaultFormType(type: ParameterType, hasOptions: boolean): string {
  return formTypesFor(type, hasOptions)[0];
}

export function isFormType(value: string): boolean {
  return Object.values(formTypes).some(
    ({ withOptions, withoutOptions }) =>
      withOptions.includes(value) || withoutOptions.includes(value),
  );
}

/** The properties of a parameter that must match. Each of them, or any part, may be unknown. */
export interface ParameterDefinition {
  /** @default "string" */
  readonly type?: unknown;
  /** @default depends on the type */
  readonly formType?: unknown;
  /** A list of objects with `name` and `value`. */
  readonly options?: unknown;
  /** An object, or a list of at most one object. */
  readonly validation?: unknown;
  readonly default?: unknown;
  readonly mutable?: unknown;
  readonly ephemeral?: unknown;
}

/** A value that was read: null if it is missing, undefined if it is unknown or has the wrong type. */
export type Read<Value> = Value | null | undefined;

export interface KnownDefinition {
  readonly type: ParameterType | undefined;
  readonly formType: Read<string>;
  readonly hasOptions: boolean | undefined;
  readonly options: readonly KnownOption[];
  readonly validation: KnownValidation;
  readonly default: Read<string>;
  readonly mutable: Read<boolean>;
  readonly ephemeral: Read<boolean>;
  /** The rules that apply to an option's value in any case; undefined if they are unknown. */
  readonly optionRules: ParameterRules | undefined;
  /** The rules that apply to the default in any case; undefined if they are unknown. */
  readonly defaultRules: ParameterRules | undefined;
}

/** The parts of an option that other parts depend on. */
export interface KnownOption {
  readonly name: Read<string>;
  readonly value: Read<string>;
}

interface KnownValidation {
  readonly min: Read<number | bigint>;
  readonly max: Read<number | bigint>;
  readonly monotonic: Read<string>;
  readonly regex: Read<string>;
  readonly error: Read<string>;
}

/** Reads the known part of a definition. Unknown values and those of a wrong type become undefined. */
export function knownDefinition(
  parameter: ParameterDefinition,
  isUnknown: (value: unknown) => boolean,
): KnownDefinition {
  const reader = new Reader(isUnknown);
  const typeName = reader.string(parameter.type);
  const type = typeName === null ? "string" : types.find((each) => each === typeName);
  const formType = reader.string(parameter.formType);
  const elements = reader.list(parameter.options);
  const hasOptions = elements && elements.length > 0;
  const options = (elements ?? []).map((element): KnownOption => {
    const field = reader.fields(element);
    return { name: reader.string(field("name")), value: reader.string(field("value")) };
  });
  const blocks = reader.blocks(parameter.validation);
  const hasBlock = blocks !== undefined && blocks.length > 0;
  const field = reader.fields(hasBlock ? blocks[0] : {});
  const validation: KnownValidation = {
    min: reader.number(field("min")),
    max: reader.number(field("max")),
    monotonic: reader.string(field("monotonic")),
    regex: reader.string(field("regex")),
    error: reader.string(field("error")),
  };

  const effectiveForm =
    formType === null && type !== undefined && hasOptions !== undefined
      ? defaultFormType(type, hasOptions)
      : formType;
  // For lists only, the form control decides whether an option is a list or one element.
  const isSettled = type !== "list(string)" || typeof effectiveForm === "string";
  const rules = type && {
    type,
    formType: effectiveForm ?? "",
    options: [],
    validation: hasBlock ? withoutContradiction(validation) : undefined,
  };
  return {
    type,
    formType,
    hasOptions,
    options,
    validation,
    default: reader.string(parameter.default),
    mutable: reader.flag(parameter.mutable),
    ephemeral: reader.flag(parameter.ephemeral),
    optionRules: isSettled ? rules : undefined,
    defaultRules: rules && { ...rules, options: isSettled ? certain(options) : [] },
  };
}

const types = Object.keys(formTypes) as readonly ParameterType[];

/** Returns the options, or none if one of their values is unknown: the default may equal that value. */
function certain(options: readonly KnownOption[]): ParameterRules["options"] {
  const all = options.flatMap(({ name, value }) =>
    typeof value === "string" ? [{ name: name ?? "", value }] : [],
  );
  return all.length === options.length ? all : [];
}

/** Drops bounds that no value can satisfy: they are reported once, not for each value. */
function withoutContradiction(validation: KnownValidation): ParameterValidation {
  const { min, max } = validation;
  const areApart = isSet(min) && isSet(max) && min > max;
  return areApart ? { ...validation, min: null, max: null } : validation;
}

export function isSet<Value>(value: Read<Value>): value is Value {
  return value !== undefined && value !== null;
}

class Reader {
  readonly #isUnknown: (value: unknown) => boolean;

  constructor(isUnknown: (value: unknown) => boolean) {
    this.#isUnknown = isUnknown;
  }

  string(value: unknown): Read<string> {
    return this.#read(value, (each) => typeof each === "string");
  }

  number(value: unknown): Read<number | bigint> {
    return this.#read(value, (each) => typeof each === "number" || typeof each === "bigint");
  }

  flag(value: unknown): Read<boolean> {
    return this.#read(value, (each) => typeof each === "boolean");
  }

  /** A missing list is an empty list. */
  list(value: unknown): readonly unknown[] | undefined {
    const read = this.#read(value, (each): each is readonly unknown[] => Array.isArray(each));
    return read === null ? [] : read;
  }

  /** Reads blocks as a list. A block that is allowed only once may be given without a list. */
  blocks(value: unknown): readonly unknown[] | undefined {
    return this.list(isObject(value) && !this.#isUnknown(value) ? [value] : value);
  }

  /**
   * Returns a reader for the fields of an object. If it is unknown or not an object, all fields are unknown.
   */
  fields(value: unknown): (name: string) => unknown {
    const fields = isRecord(value) && !this.#isUnknown(value) ? value : undefined;
    return (name) => (fields === undefined ? unreadable : fields[name]);
  }

  #read<Value>(value: unknown, isOfType: (value: unknown) => value is Value): Read<Value> {
    if (value === undefined || value === null) return null;
    return !this.#isUnknown(value) && isOfType(value) ? value : undefined;
  }
}

/** Has none of the types that are read, so every read returns undefined. */
const unreadable = Symbol("unreadable");
