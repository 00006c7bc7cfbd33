import { type IResolvable, type TerraformMetaArguments, Token } from "cdktf";
import { isRecord } from "../../json/plain-json";
import type { Attribute, Fields } from "../../schema";
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
 * Turns the properties of a construct into the configuration of its generated binding, which is typed without
 * `undefined`, and keeps references to the arrays and objects that it receives.
 *
 * @param own the properties without the meta-arguments
 */
export const bindingConfig = <Own extends object>(
  own: Own,
  props: MetaArguments,
  fields: Fields,
): Given<Own> & TerraformMetaArguments =>
  Object.assign(given(own, fields), bindingMetaArguments(props));

/**
 * A value without undefined properties, with mutable copies of its arrays, and with strings for enum values.
 */
export type Given<Value> = Value extends IResolvable
  ? Value
  : Value extends readonly (infer Element)[]
    ? Given<Element>[]
    : Value extends object
      ? { [Name in keyof Value]: GivenProperty<Exclude<Value[Name], undefined>> }
      : Value;

type GivenProperty<Value> = string extends Value
  ? Given<Value>
  : [Extract<Value, string>] extends [never]
    ? Given<Value>
    : string;

/**
 * Copies a value without undefined properties. Tokens and class instances are not copied.
 *
 * @param fields the declaration, by which tokens for enum values become strings
 */
export function given<Value>(value: Value, fields?: Fields): Given<Value> {
  // The compiler cannot check that the recursive function matches the recursive type.
  return copied(value, fields) as Given<Value>;
}

function copied(value: unknown, fields: Fields | undefined): unknown {
  if (Array.isArray(value)) return value.map((each) => copied(each, fields));
  if (!isRecord(value)) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype || "resolve" in value) return value;
  const copy: Record<string, unknown> = {};
  for (const name in value) {
    const inner = value[name];
    if (inner === undefined) continue;
    const isEnumToken = isRecord(inner) && isEnum(fields?.attributes[name]);
    copy[name] = isEnumToken
      ? Token.asString(inner)
      : copied(inner, fields?.blocks?.[name]?.fields);
  }
  return copy;
}

const isEnum = (attribute: Attribute | undefined): boolean =>
  attribute?.type.kind === "string" && attribute.type.values !== undefined;

/**
 * Returns the properties of a construct, or an empty object if a caller in JavaScript left them out. The
 * checks then report the missing ones.
 */
export function orNone<Props extends object>(props: Props | null | undefined): Props {
  return props ?? ({} as Props);
}
