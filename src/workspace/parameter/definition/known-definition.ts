import { isObject, isRecord } from "../../../json/is-object";
import { defaultFormType, formTypes, type ParameterType } from "./form-type";
import type { ParameterRules, ParameterValidation } from "./parameter-rules";

/** The properties of a parameter that must fit together. Each, or any part of it, may be unknown. */
export interface ParameterDefinition {
  /** @default "string" */
  readonly type?: unknown;
  /** @default what fits the type */
  readonly formType?: unknown;
  /** A list of objects with `name` and `value`. */
  readonly options?: unknown;
  /** An object, or a list of at most one. */
  readonly validation?: unknown;
  readonly default?: unknown;
  readonly mutable?: unknown;
  readonly ephemeral?: unknown;
}

/** What was read of a value: null when it is absent, undefined when it is unknown or of a wrong type. */
export type Read<Value> = Value | null | undefined;

/** What a definition says for certain. */
export interface KnownDefinition {
  readonly type: ParameterType | undefined;
  readonly formType: Read<string>;
  readonly hasOptions: boolean | undefined;
  readonly options: readonly KnownOption[];
  readonly validation: KnownValidation;
  readonly default: Read<string>;
  readonly mutable: Read<boolean>;
  readonly ephemeral: Read<boolean>;
  /** What an option's value must satisfy for certain; undefined while that is open. */
  readonly optionRules: ParameterRules | undefined;
  /** What the default must satisfy for certain; undefined while that is open. */
  readonly defaultRules: ParameterRules | undefined;
}

/** The parts of an option that other parts depend on. */
export interface KnownOption {
  readonly name: Read<string>;
  readonly value: Read<string>;
}

/** The parts of a validation block. */
export interface KnownValidation {
  readonly min: Read<number | bigint>;
  readonly max: Read<number | bigint>;
  readonly monotonic: Read<string>;
  readonly regex: Read<string>;
  readonly error: Read<string>;
}

/** Sorts what a definition says for certain from what is unknown or of a wrong type. */
export function knownDefinition(
  parameter: ParameterDefinition,
  isUnknown: (value: unknown) => boolean,
): KnownDefinition {
  const reader = new Reader(isUnknown);
  const typeWord = reader.text(parameter.type);
  const type = typeWord === null ? "string" : types.find((word) => word === typeWord);
  const formType = reader.text(parameter.formType);
  const elements = reader.list(parameter.options);
  const hasOptions = elements && elements.length > 0;
  const options = (elements ?? []).map((element): KnownOption => {
    const field = reader.fields(element);
    return { name: reader.text(field("name")), value: reader.text(field("value")) };
  });
  const blocks = reader.blocks(parameter.validation);
  const hasBlock = blocks !== undefined && blocks.length > 0;
  const field = reader.fields(hasBlock ? blocks[0] : {});
  const validation: KnownValidation = {
    min: reader.number(field("min")),
    max: reader.number(field("max")),
    monotonic: reader.text(field("monotonic")),
    regex: reader.text(field("regex")),
    error: reader.text(field("error")),
  };

  const effectiveForm =
    formType === null && type !== undefined && hasOptions !== undefined
      ? defaultFormType(type, hasOptions)
      : formType;
  // Of lists alone the form decides whether an option is a list or an element of one.
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
    default: reader.text(parameter.default),
    mutable: reader.flag(parameter.mutable),
    ephemeral: reader.flag(parameter.ephemeral),
    optionRules: isSettled ? rules : undefined,
    defaultRules: rules && { ...rules, options: isSettled ? certain(options) : [] },
  };
}

const types = Object.keys(formTypes) as readonly ParameterType[];

/** The options, or none while one of their values is open: then the default may be that one. */
function certain(options: readonly KnownOption[]): ParameterRules["options"] {
  const all = options.flatMap(({ name, value }) =>
    typeof value === "string" ? [{ name: name ?? "", value }] : [],
  );
  return all.length === options.length ? all : [];
}

/** Bounds that no value can satisfy are to blame themselves, once. */
function withoutContradiction(validation: KnownValidation): ParameterValidation {
  const { min, max } = validation;
  const areApart = isGiven(min) && isGiven(max) && min > max;
  return areApart ? { ...validation, min: null, max: null } : validation;
}

/** Whether a value was read: it is neither absent nor unknown. */
export function isGiven<Value>(value: Read<Value>): value is Value {
  return value !== undefined && value !== null;
}

class Reader {
  readonly #isUnknown: (value: unknown) => boolean;

  constructor(isUnknown: (value: unknown) => boolean) {
    this.#isUnknown = isUnknown;
  }

  text(value: unknown): Read<string> {
    return this.#read(value, (it) => typeof it === "string");
  }

  number(value: unknown): Read<number | bigint> {
    return this.#read(value, (it) => typeof it === "number" || typeof it === "bigint");
  }

  flag(value: unknown): Read<boolean> {
    return this.#read(value, (it) => typeof it === "boolean");
  }

  /** An absent list is an empty one. */
  list(value: unknown): readonly unknown[] | undefined {
    const read = this.#read(value, (it): it is readonly unknown[] => Array.isArray(it));
    return read === null ? [] : read;
  }

  /** As a list, where a block that stands once at most may be written alone. */
  blocks(value: unknown): readonly unknown[] | undefined {
    return this.list(isObject(value) && !this.#isUnknown(value) ? [value] : value);
  }

  /** Fields of what is unknown, or no object, are as unknown. */
  fields(value: unknown): (name: string) => unknown {
    const fields = isRecord(value) && !this.#isUnknown(value) ? value : undefined;
    return (name) => (fields === undefined ? open : fields[name]);
  }

  #read<Value>(value: unknown, isOne: (value: unknown) => value is Value): Read<Value> {
    if (value === undefined || value === null) return null;
    return !this.#isUnknown(value) && isOne(value) ? value : undefined;
  }
}

/** Of no type that is read, hence undefined once it is. */
const open = Symbol("open");
