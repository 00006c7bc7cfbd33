import { type IResolvable, type TerraformMetaArguments, Token } from "cdktf";
import { isRecord } from "../../json/plain-json";
import {
  bindingMetaArguments,
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
 *
 * @param own the properties without the meta-arguments
 */
export const bindingConfig = <Own extends object>(
  own: Own,
  props: MetaArguments,
): Given<Own> & TerraformMetaArguments => Object.assign(given(own), bindingMetaArguments(props));

type WithStrings<Config, Name extends keyof Config> = {
  [Key in keyof Config]: Key extends Name ? string : Config[Key];
};

/** Turns enum values, and tokens for them, into strings, in a configuration of {@link bindingConfig}. */
export function withStrings<
  Config extends Readonly<Partial<Record<Name, string | IResolvable>>>,
  Name extends keyof Config,
>(config: Config, ...names: readonly Name[]): WithStrings<Config, Name> {
  const strings: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = config[name];
    if (value !== undefined) strings[name] = Token.asString(value);
  }
  // Every named property that is set has become a string.
  return Object.assign(config, strings) as WithStrings<Config, Name>;
}

/** A value without properties that are undefined, and with mutable copies of its arrays. */
export type Given<Value> = Value extends IResolvable
  ? Value
  : Value extends readonly (infer Element)[]
    ? Given<Element>[]
    : Value extends object
      ? { [Name in keyof Value]: Given<Exclude<Value[Name], undefined>> }
      : Value;

/** Copies a value without properties that are undefined. Tokens and class instances are not copied. */
export function given<Value>(value: Value): Given<Value> {
  // The compiler cannot check that the recursive function matches the recursive type.
  return copied(value) as Given<Value>;
}

function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (!isRecord(value)) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype || "resolve" in value) return value;
  const copy: Record<string, unknown> = {};
  for (const name in value) {
    const inner = value[name];
    if (inner !== undefined) copy[name] = copied(inner);
  }
  return copy;
}

/**
 * Returns the properties of a construct, or an empty object if a caller in JavaScript left them out. The
 * checks then report the missing ones.
 */
export function orNone<Props extends object>(props: Props | null | undefined): Props {
  return props ?? ({} as Props);
}
