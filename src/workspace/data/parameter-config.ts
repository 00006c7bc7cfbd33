import { Token, type IResolvable } from "cdktf";
import type {
  DataWorkspaceParameterConfig,
  DataWorkspaceParameterValidation,
} from "../../../bindings/providers/workspace/data-workspace-parameter";
import type { DataSourceBindingConfig, Given } from "../../construct";
import { withTexts } from "../resource/binding-words";
import type { ParameterType } from "../words/parameter-type";
import type {
  DataParameterProps,
  ParameterOption,
  ParameterValidation,
} from "./data-parameter-props";
import { parameterText } from "./parameter-value";

/** The properties of a parameter of any type, with texts for all values. */
export interface TextualParameterProps extends Omit<DataParameterProps, "type"> {
  readonly type?: ParameterType | IResolvable | undefined;
}

/** Writes the default and the values of the options as the texts that stand for them. */
export function textual<T extends ParameterType>({
  default: value,
  options,
  ...props
}: DataParameterProps<T>): TextualParameterProps {
  return {
    ...props,
    ...(value !== undefined && { default: parameterText(value) }),
    ...(options !== undefined && {
      options: isList(options) ? options.map(textualOption) : options,
    }),
  };
}

const isList = <Each>(value: readonly Each[] | IResolvable): value is readonly Each[] =>
  Array.isArray(value);

const textualOption = <T extends ParameterType>(option: ParameterOption<T>): ParameterOption => ({
  ...option,
  value: parameterText(option.value),
});

/** The configuration of the generated binding. */
export function parameterConfig({
  options,
  validation,
  ...config
}: DataSourceBindingConfig<TextualParameterProps>): DataWorkspaceParameterConfig {
  return {
    ...withTexts(config, "type", "formType"),
    ...(options !== undefined && { option: options }),
    ...(validation !== undefined && { validation: validationConfig(validation) }),
  };
}

function validationConfig({
  min,
  max,
  ...config
}: Given<ParameterValidation>): DataWorkspaceParameterValidation {
  return {
    ...withTexts(config, "monotonic"),
    ...(min !== undefined && { min: bound(min) }),
    ...(max !== undefined && { max: bound(max) }),
  };
}

/** cdktf and JSON have no `bigint`; Terraform reads digits in a text as the very number. */
const bound = (value: number | bigint): number =>
  typeof value === "bigint" ? Token.asNumber(String(value)) : value;
