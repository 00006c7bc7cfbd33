/* eslint-disable @typescript-eslint/no-unnecessary-type-parameters --
   types that are compared, not values, are what these parameters carry */

/** Whether two types are identical, including `any` and `readonly`. */
export type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles when the type is `true`. */
export const assertType = <Proof extends true>(proof?: Proof): boolean => proof ?? true;

type IsAny<T> = 0 extends 1 & T ? true : false;

/** The paths at which a type is `any`; never if it has none. */
export type AnyIn<T, At extends string = ""> =
  IsAny<T> extends true
    ? `${At} is any`
    : T extends string | number | bigint | boolean | symbol | null | undefined
      ? never
      : T extends readonly (infer E)[]
        ? AnyIn<E, `${At}[]`>
        : T extends object
          ? { [K in keyof T & string]: AnyIn<T[K], `${At}.${K}`> }[keyof T & string]
          : never;
