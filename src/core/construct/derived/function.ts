import { call, type IResolvable, propertyAccess, Token } from "cdktf";
import { sequencesIn } from "../../hcl/template-sequences";
import { isPlainObject } from "../../json/plain-json";
import {
  type Attribute,
  type Attributes,
  type Declaration,
  type Fields,
  type FunctionDeclaration,
  type Type,
  wireName,
} from "../../schema";
import { checkValues } from "../check/check-values";
import { ValidationError } from "../check/validation-error";
import { isToken } from "../token/is-token";
import { mapper } from "./body";
import { nothing, tokenOf } from "./outputs";
import type { OutputOf, PropOf } from "./props";

type ArgumentOf<P> = P extends { readonly type: infer T extends Type }
  ? P extends { readonly isVariadic: true }
    ? readonly (PropOf<T> | NullOf<P>)[]
    : PropOf<T> | NullOf<P>
  : never;

type NullOf<P> = P extends { readonly allowNull?: infer Null }
  ? true extends Null
    ? null
    : never
  : never;

type IsVariadic<P> = P extends { readonly isVariadic: true } ? true : false;

/** The result of a function as a token; an object of tokens for an object. */
type ResultOf<T extends Type> = T extends {
  readonly kind: "object";
  readonly fields: Fields<infer A>;
}
  ? { readonly [K in keyof A]: MemberOf<A[K]> }
  : PlainResult<T>;

type MemberOf<A> = A extends { readonly type: infer T extends Type } ? PlainResult<T> : never;

type PlainResult<T extends Type> =
  OutputOf<T> extends string | number | readonly (string | number)[] ? OutputOf<T> : IResolvable;

/** Calls a function of a provider: takes its arguments by their names, and returns a token for the result. */
export type FunctionCaller<F extends FunctionDeclaration> = (
  args: {
    readonly [
      K in keyof F["parameters"] as IsVariadic<F["parameters"][K]> extends true ? never : K
    ]: ArgumentOf<F["parameters"][K]>;
  } & {
    readonly [
      K in keyof F["parameters"] as IsVariadic<F["parameters"][K]> extends true ? K : never
    ]?: ArgumentOf<F["parameters"][K]> | undefined;
  },
) => ResultOf<F["returns"]>;

/** Returns the function that calls a function of a provider in expressions. */
export function caller(
  { name, parameters, returns }: FunctionDeclaration,
  provider: Declaration,
): (args: Readonly<Record<string, unknown>>) => unknown {
  const full = `provider::${provider.type}::${name}`;
  const fields = { attributes: Object.fromEntries(Object.entries(parameters).map(asAttribute)) };
  const all = Object.entries(parameters);
  const called = (args: Readonly<Record<string, unknown>>): unknown => {
    const findings = checkValues(fields, args);
    if (findings.some(({ severity }) => severity === "error")) {
      throw new ValidationError({ type: full, path: "" }, findings, called);
    }
    const given = all.flatMap(([key, { type, isVariadic }]) => {
      const value = args[key];
      if (!isVariadic) return [mapper(type)(value ?? null)];
      return Array.isArray(value) ? value.map(mapper(type)) : [];
    });
    return result(returns, call(full, given.map(argument)));
  };
  return called;
}

/** A parameter as an attribute, so that the same rules check it. */
const asAttribute = ([name, parameter]: [string, FunctionDeclaration["parameters"][string]]): [
  string,
  Attribute,
] => {
  const { doc, wire, type, isVariadic, allowNull } = parameter;
  const presence = isVariadic || allowNull === true ? "optional" : "required";
  return [name, { doc, wire, presence, type: isVariadic ? { kind: "list", of: type } : type }];
};

/** Writes an argument as cdktf's functions take it. They do not escape quotes in strings. */
function argument(value: unknown): unknown {
  if (value === null || value === undefined) return nothing;
  if (Array.isArray(value)) return isToken(value) ? value : value.map(argument);
  if (typeof value === "string" && !value.includes("${TfToken[")) return Token.asAny(quoted(value));
  if (!isPlainObject(value) || isToken(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, argument(each)]));
}

/** Writes a template as a string in an expression. What is between the braces stays as it is. */
function quoted(text: string): string {
  let written = "";
  let end = 0;
  for (const sequence of sequencesIn(text)) {
    if (sequence.within !== undefined) continue;
    written += escaped(text.slice(end, sequence.start)) + text.slice(sequence.start, sequence.end);
    end = sequence.end;
  }
  return `"${written}${escaped(text.slice(end))}"`;
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

function result(type: Type, reference: IResolvable): unknown {
  if (type.kind !== "object") return tokenOf(type, reference);
  const { attributes }: { readonly attributes: Attributes } = type.fields;
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => [
      name,
      tokenOf(attribute.type, propertyAccess(reference, [wireName(name, attribute)])),
    ]),
  );
}
