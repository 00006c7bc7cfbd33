import type { TerraformMetaArguments } from "cdktf";
import { given, type Given } from "./given";
import {
  bindingMetaArguments,
  ownDataSourceProperties,
  ownProperties,
  type DataSourceMetaArguments,
  type MetaArguments,
} from "./meta-arguments";

/** The properties of a data source, as a generated binding takes them. */
export type DataSourceBindingConfig<Props extends object> = Given<
  Omit<Props, keyof DataSourceMetaArguments>
> &
  TerraformMetaArguments;

/** The properties of a resource, as a generated binding takes them. */
export type BindingConfig<Props extends object> = Given<Omit<Props, keyof MetaArguments>> &
  TerraformMetaArguments;

/**
 * Turns the properties of a construct into the configuration of its generated binding.
 *
 * Bindings are typed without `undefined` and keep references to the arrays and objects that they receive,
 * so those are copied.
 */
export function bindingConfig<Props extends MetaArguments>(props: Props): BindingConfig<Props> {
  return Object.assign(given(ownProperties(props)), bindingMetaArguments(props));
}

/** Like {@link bindingConfig}, for a data source. */
export function dataSourceBindingConfig<Props extends DataSourceMetaArguments>(
  props: Props,
): DataSourceBindingConfig<Props> {
  return Object.assign(given(ownDataSourceProperties(props)), bindingMetaArguments(props));
}
