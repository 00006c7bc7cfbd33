import { Token } from "cdktf";
import type {
  DataWorkspaceParameterConfig,
  DataWorkspaceParameterValidation,
} from "../../../../bindings/providers/workspace/data-workspace-parameter";
import { withStrings, type DataSourceBindingConfig, type Given } from "../../construct";
import type { ParameterValidation } from "./props";
import { isList, type AnyParameterProps } from "./value";

/** Returns the configuration of the generated binding. All values are strings: validation rejected others. */
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
 * Writes a bound. cdktf and JSON have no `bigint`, but an expression of its digits is an exact number, even
 * for a platform whose preview ignores strings here.
 */
const bound = (value: number | bigint): number =>
  typeof value === "bigint" ? Token.asNumber(`\${${String(value)}}`) : value;
