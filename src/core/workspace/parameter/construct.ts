import { Fn, type IResolvable, Token } from "cdktf";
import type { Construct } from "constructs";
import {
  DataWorkspaceParameter,
  type DataWorkspaceParameterConfig,
  type DataWorkspaceParameterValidation,
} from "../../../../bindings/providers/workspace/data-workspace-parameter";
import { type BindingConfig, type Given, isToken, orNone, ValidationError } from "../../construct";
import { blockValue } from "../../construct/token/block-value";
import { promptOfTask } from "../ai-task/rules";
import { previewedValues } from "../template/previewed-values";
import { parameter } from "./declare";
import { DataParameterBase, type ParameterType } from "./generated";
import {
  type AnyParameterProps,
  type AnyParameterValue,
  type DataParameterProps,
  isList,
  type ParameterValidation,
  type ParameterValue,
  refusalOf,
  withStringValues,
} from "./props";
import { idleMonotonic, prebuildParameters, presetValues, uniqueParameterNames } from "./rules";

const readers: Readonly<Record<ParameterType, string>> = {
  string: "value",
  number: "asNumber",
  bool: "asBoolean",
  "list(string)": "asList",
};

/** The strings that mean true for a parameter of type `bool`; `tobool` accepts only `true`. */
const trueStrings = ["1", "t", "T", "TRUE", "true", "True"];

/** The validation of a parameter, as tokens. */
export interface ParameterValidationValues {
  readonly min: number;
  readonly max: number;
  readonly monotonic: IResolvable;
  readonly regex: string;
  readonly error: string;
}

/**
 * A value that users choose when they create a workspace, or later if it is mutable.
 *
 * The type determines which values are allowed as the default and in options, and which of
 * {@link asNumber}, {@link asBoolean} and {@link asList} reads the value.
 *
 * See the guide `docs/guide/parameters.md` in this package.
 *
 * @example
 * ```ts
 * const cores = new workspace.DataParameter(this, "cores", {
 *   name: "cores",
 *   type: "number",
 *   default: 4,
 *   validation: { min: 2, max: 32 },
 * });
 * ```
 */
export class DataParameter<
  T extends ParameterType = "string",
> extends DataParameterBase<AnyParameterProps> {
  protected static override readonly stackRules = [
    uniqueParameterNames,
    presetValues,
    prebuildParameters,
    idleMonotonic,
    previewedValues,
    promptOfTask,
  ];

  readonly #type: T | IResolvable | undefined;
  readonly #hasDefault: boolean;
  readonly #refusal: (value: AnyParameterValue) => string | undefined;

  constructor(scope: Construct, id: string, props: DataParameterProps<T>) {
    const strings = withStringValues(orNone(props));
    super(scope, id, parameter, strings, (parent, childId, config) => {
      return new DataWorkspaceParameter(parent, childId, parameterConfig(config));
    });
    this.#type = props.type;
    this.#hasDefault = props.default !== undefined;
    this.#refusal = refusalOf(strings);
  }

  /**
   * Why the parameter's own definition refuses a value, as a message such as `must be at most 8`.
   * Undefined if it accepts the value, or if the result is known only to Terraform.
   */
  refusal(value: ParameterValue<T>): string | undefined {
    return this.#refusal(value);
  }

  /**
   * The value of a parameter of type `number`; 0 without one.
   *
   * @throws ValidationError if the parameter has another type
   */
  get asNumber(): number {
    this.#requireType("number");
    return Fn.tonumber(this.#valueOr("0"));
  }

  /**
   * The value of a parameter of type `bool`; false without one.
   *
   * @throws ValidationError if the parameter has another type
   */
  get asBoolean(): IResolvable {
    this.#requireType("bool");
    return Token.asAny(Fn.contains(trueStrings, this.value));
  }

  /**
   * The value of a parameter of type `list(string)`; an empty list without one.
   *
   * @throws ValidationError if the parameter has another type
   */
  get asList(): string[] {
    this.#requireType("list(string)");
    return Token.asList(Fn.jsondecode(this.#valueOr("[]")));
  }

  /** Without a default, the parameter has no value during a template import. */
  #valueOr(other: string): string {
    if (this.#hasDefault) return this.value;
    // Terraform's coalesce skips empty strings.
    return Token.asString(Fn.coalesce([this.value, other]));
  }

  #requireType(wanted: ParameterType): void {
    const own = this.#type ?? "string";
    if (typeof own !== "string" || isToken(own) || own === wanted) return;
    const message = `must be ${wanted} for ${readers[wanted]} (got ${own}): read ${readers[own]} instead`;
    throw new ValidationError({ type: "workspace.DataParameter", path: this.node.path }, [
      { code: "WRONG_TYPE", severity: "error", path: ["type"], message },
    ]);
  }

  /** Rules for the value. Unset rules are null. */
  get validation(): ParameterValidationValues {
    const value = (name: string) => blockValue(this.resource, `validation[*].${name}`);
    return {
      min: Token.asNumber(value("min")),
      max: Token.asNumber(value("max")),
      monotonic: value("monotonic"),
      regex: Token.asString(value("regex")),
      error: Token.asString(value("error")),
    };
  }
}

/** Returns the configuration of the generated binding. All values are strings: validation rejected others. */
function parameterConfig({
  default: value,
  options,
  validation,
  ...config
}: BindingConfig<AnyParameterProps>): DataWorkspaceParameterConfig {
  return {
    ...config,
    ...(value !== undefined && { default: Token.asString(value) }),
    ...(options !== undefined && {
      option: isList(options)
        ? options.map((option) => ({ ...option, value: Token.asString(option.value) }))
        : options,
    }),
    ...(validation !== undefined && { validation: validationConfig(validation) }),
  };
}

function validationConfig({
  min,
  max,
  ...config
}: Given<ParameterValidation>): DataWorkspaceParameterValidation {
  return {
    ...config,
    ...(min !== undefined && { min: bound(min) }),
    ...(max !== undefined && { max: bound(max) }),
  };
}

/**
 * Writes a bound. cdktf and JSON have no `bigint`, but an expression of its digits is an exact number, even
 * for a platform whose preview ignores strings here.
 */
const bound = (value: number | bigint): number =>
  typeof value === "bigint" ? Token.asNumber(`\${${String(value)}}`) : value;
