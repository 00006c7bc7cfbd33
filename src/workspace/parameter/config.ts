import { Token, type IResolvable } from "cdktf";
import type {
  DataWorkspaceParameterConfig,
  DataWorkspaceParameterValidation,
} from "../../../bindings/providers/workspace/data-workspace-parameter";
import { withStrings, type DataSourceBindingConfig, type Given } from "../../construct";
import type { ParameterType } from "./enums";
import type { DataParameterProps, ParameterOption, ParameterValidation } from "./props";
import { isOfType, parameterString, type AnyParameterValue } from "./value";

/**
 * The properties of a parameter of any type, with values as strings. A value of the wrong type is kept
 * as it is, so that validation rejects it.
 */
export interface AnyParameterProps extends Omit<
  DataParameterProps,
  "type" | "default" | "options"
> {
  readonly type?: ParameterType | IResolvable | undefined;
  readonly default?: AnyParameterValue | undefined;
  readonly options?: readonly ParameterOption<AnyParameterValue>[] | IResolvable | undefined;
}

/** Converts the default and the values of the options to strings. */
export function withStringValues(props: AnyParameterProps): AnyParameterProps {
  const { type = "string", default: value, options } = props;
  const asString = (given: AnyParameterValue): AnyParameterValue =>
    isOfType(type, given) ? parameterString(given) : given;
  return {
    ...props,
    ...(value !== undefined && { default: asString(value) }),
    ...(isList(options) && {
      options: options.map((option) => ({ ...option, value: asString(option.value) })),
    }),
  };
}

const isList = <Each>(value: readonly Each[] | IResolvable | undefined): value is readonly Each[] =>
  Array.isArray(value);

/** The configuration of the generated binding. All values are strings: validation rejected others. */
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

/**
 * cdktf and JSON have no `bigint`. An expression of its digits is an exact number, also for a platform whose
 * preview ignores a string here.
 */
const bound = (value: number | bigint): number =>
  typeof value === "bigint" ? Token.asNumber(`\${${String(value)}}`) : value;
