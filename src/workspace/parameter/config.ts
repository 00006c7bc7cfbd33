import { Token, type IResolvable } from "cdktf";
import type {
  DataWorkspaceParameterConfig,
  DataWorkspaceParameterValidation,
} from "../../../bindings/providers/workspace/data-workspace-parameter";
import { withStrings, type DataSourceBindingConfig, type Given } from "../../construct";
import type { ParameterType } from "./enums";
import type { DataParameterProps, ParameterOption, ParameterValidation } from "./props";
import { isOfType, parameterText, type AnyParameterValue } from "./value";

/**
 * The properties of a parameter of any type, in which a value is a text, unless it is of another type
 * than the parameter: then it is as it was given, and refused when it is checked.
 */
export interface AnyParameterProps extends Omit<
  DataParameterProps,
  "type" | "default" | "options"
> {
  readonly type?: ParameterType | IResolvable | undefined;
  readonly default?: AnyParameterValue | undefined;
  readonly options?: readonly ParameterOption<AnyParameterValue>[] | IResolvable | undefined;
}

/** Writes the default and the values of the options as the texts that stand for them. */
export function withTextualValues(props: AnyParameterProps): AnyParameterProps {
  const { type = "string", default: value, options } = props;
  const text = (given: AnyParameterValue): AnyParameterValue =>
    isOfType(type, given) ? parameterText(given) : given;
  return {
    ...props,
    ...(value !== undefined && { default: text(value) }),
    ...(isList(options) && {
      options: options.map((option) => ({ ...option, value: text(option.value) })),
    }),
  };
}

const isList = <Each>(value: readonly Each[] | IResolvable | undefined): value is readonly Each[] =>
  Array.isArray(value);

/** The configuration of the generated binding; values that are no texts were refused before. */
export function parameterConfig({
  default: value,
  options,
  validation,
  ...config
}: DataSourceBindingConfig<AnyParameterProps>): DataWorkspaceParameterConfig {
  return {
    ...withStrings(config, "type", "formType"),
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
    ...withStrings(config, "monotonic"),
    ...(min !== undefined && { min: bound(min) }),
    ...(max !== undefined && { max: bound(max) }),
  };
}

/** cdktf and JSON have no `bigint`; Terraform reads digits in a text as the very number. */
const bound = (value: number | bigint): number =>
  typeof value === "bigint" ? Token.asNumber(String(value)) : value;
