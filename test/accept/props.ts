import type { IResolvable } from "cdktf";
import type { MetaArguments, ProviderMetaArguments } from "../../src/core/construct";
import type { ArgsOf, Declaration } from "../../src/core/schema";

/** Whether two types are the same. */
export type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Fails to compile unless the claim is true. */
export const assertType = <Claim extends true>(claim: Claim): Claim => claim;

/** A construct's properties without the meta-arguments. */
export type Own<Props> = Omit<Props, keyof MetaArguments | keyof ProviderMetaArguments>;

/** A type without some of its alternatives, at any depth. */
type Without<T, Alternative> = T extends Alternative
  ? never
  : T extends readonly (infer Element)[]
    ? readonly Without<Element, Alternative>[]
    : T extends object
      ? { readonly [K in keyof T]: Without<T[K], Alternative> }
      : T;

/** Without the forms that only a construct takes. */
export type Literal<T> = Without<T, IResolvable>;

/** What a declaration takes, with numbers as most constructs take them: cdktf has only doubles. */
type Args<D extends Declaration> = Without<ArgsOf<D>, bigint>;

/** Whether the literal properties of a construct are the arguments of a declaration, in both directions. */
export type Maps<Props, D extends Declaration> =
  Same<keyof Own<Props>, keyof ArgsOf<D>> extends true
    ? Literal<Own<Props>> extends ArgsOf<D>
      ? Args<D> extends Own<Props>
        ? true
        : "the props do not take the arguments"
      : "the arguments do not take the props"
    : "other names";
