import { Fn, Token, type IResolvable } from "cdktf";
import type { Construct } from "constructs";
import {
  DataWorkspaceParameter,
  type DataWorkspaceParameterOptionList,
} from "../../../bindings/providers/workspace/data-workspace-parameter";
import {
  DataSourceConstruct,
  isToken,
  product,
  ValidationError,
  type ConstructType,
} from "../../construct";
import { blockValue } from "../../construct/token/block-value";
import { parameterConfig, withTextualValues, type AnyParameterProps } from "./config";
import { parameter } from "./declare";
import type { ParameterType } from "./enums";
import { prebuildParameters, presetValues } from "./preset-rules";
import type { DataParameterProps } from "./props";
import { refusalOf } from "./refusal";
import { uniqueParameterNames, idleMonotonic } from "./rules";
import type { AnyParameterValue, ParameterValue } from "./value";

const type: ConstructType = {
  name: "workspace.DataParameter",
  declaration: parameter,
  stackRules: [uniqueParameterNames, presetValues, prebuildParameters, idleMonotonic],
};

/** What reads a value of each type. */
const readers: Readonly<Record<ParameterType, string>> = {
  string: "value",
  number: "asNumber",
  bool: "asBoolean",
  "list(string)": "asList",
};

/** The words that a parameter of type `bool` takes for true; Terraform's `tobool` refuses most of them. */
const trueWords = ["1", "t", "T", "TRUE", "true", "True"];

/** What a parameter's validation says, as tokens. */
export interface ParameterValidationValues {
  readonly min: number;
  readonly max: number;
  readonly monotonic: IResolvable;
  readonly regex: string;
  readonly error: string;
}

/**
 * A value that users choose when they create a workspace, or later when it is mutable.
 *
 * The type says what a default and the values of options may be written as, and which of
 * {@link asNumber}, {@link asBoolean} and {@link asList} reads the value.
 */
export class DataParameter<T extends ParameterType = "string"> extends DataSourceConstruct<
  DataWorkspaceParameter,
  AnyParameterProps
> {
  /** What the data source is called across products. */
  static readonly typeToken = `${product.name}:workspace/v1:DataParameter`;

  readonly #type: T | IResolvable | undefined;
  readonly #hasDefault: boolean;
  readonly #refusal: (value: AnyParameterValue) => string | undefined;

  /** @throws ValidationError with everything that is wrong with the properties */
  constructor(scope: Construct, id: string, props: DataParameterProps<T>) {
    const texts = withTextualValues(props);
    super(scope, id, type, texts, (parent, childId, config) => {
      return new DataWorkspaceParameter(parent, childId, parameterConfig(config));
    });
    this.#type = props.type;
    this.#hasDefault = props.default !== undefined;
    this.#refusal = refusalOf(texts);
  }

  /**
   * Says what the parameter's own definition has against a value, in a sentence such as
   * `must be at most 8`. Undefined when it is accepted, or when only Terraform can tell.
   */
  refusal(value: ParameterValue<T>): string | undefined {
    return this.#refusal(value);
  }

  /** Value in this build, as a text; empty without one, which happens outside a build only. */
  get value(): string {
    return this.resource.value;
  }

  /**
   * The value of a parameter of type `number`; 0 where there is none.
   *
   * @throws ValidationError when the parameter is of another type
   */
  get asNumber(): number {
    this.#requireType("number");
    return Fn.tonumber(this.#valueOr("0"));
  }

  /**
   * The value of a parameter of type `bool`; false where there is none.
   *
   * @throws ValidationError when the parameter is of another type
   */
  get asBoolean(): IResolvable {
    this.#requireType("bool");
    return Token.asAny(Fn.contains(trueWords, this.value));
  }

  /**
   * The value of a parameter of type `list(string)`; an empty list where there is none.
   *
   * @throws ValidationError when the parameter is of another type
   */
  get asList(): string[] {
    this.#requireType("list(string)");
    return Token.asList(Fn.jsondecode(this.#valueOr("[]")));
  }

  /** Without a default there is no value while the platform reads the template. */
  #valueOr(other: string): string {
    if (this.#hasDefault) return this.value;
    // Terraform's coalesce passes over empty texts.
    return Token.asString(Fn.coalesce([this.value, other]));
  }

  #requireType(wanted: ParameterType): void {
    const own = this.#type ?? "string";
    if (typeof own !== "string" || isToken(own) || own === wanted) return;
    const message = `must be ${wanted} for ${readers[wanted]} (got ${own}): read ${readers[own]} instead`;
    throw new ValidationError({ type: type.name, path: this.node.path }, [
      { code: "WRONG_TYPE", severity: "error", path: ["type"], message },
    ]);
  }

  /** Name of the parameter. */
  get name(): string {
    return this.resource.name;
  }

  /** What the value is. */
  get type(): IResolvable {
    return Token.asAny(this.resource.type);
  }

  /** How users enter the value. */
  get formType(): IResolvable {
    return Token.asAny(this.resource.formType);
  }

  /** Name that users see. */
  get displayName(): string {
    return this.resource.displayName;
  }

  /** What the parameter does, in Markdown. */
  get description(): string {
    return this.resource.description;
  }

  /** Value of users who choose none, as a text. */
  get default(): string {
    return this.resource.default;
  }

  /** Whether the value can be changed after the workspace was created. */
  get mutable(): IResolvable {
    return Token.asAny(this.resource.mutable);
  }

  /** Whether the value serves one build only. */
  get ephemeral(): IResolvable {
    return Token.asAny(this.resource.ephemeral);
  }

  /** URL of an icon. */
  get icon(): string {
    return this.resource.icon;
  }

  /** Position of the parameter. */
  get order(): number {
    return this.resource.order;
  }

  /** How the form looks, as a JSON object. */
  get styling(): string {
    return this.resource.styling;
  }

  /** Values from which users choose; one of them is `options.get(0)`. */
  get options(): DataWorkspaceParameterOptionList {
    return this.resource.option;
  }

  /** What a value must satisfy; what was not given is null. */
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

  /** Whether users may choose none: whether there is a default. */
  get optional(): IResolvable {
    return Token.asAny(this.resource.optional);
  }

  /** ID of the parameter, made from its name. */
  get id(): string {
    return this.resource.id;
  }
}
