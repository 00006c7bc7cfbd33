import { required } from "./attribute";
import { checkDeclaration } from "./declaration-rules";
import type { Filled } from "./infer";
import type { Type, Unknown } from "./type";

/** A parameter of a declared function. */
export interface Parameter<
  T extends Type = Type,
  Null extends boolean = boolean,
  Hole extends boolean = boolean,
  Many extends boolean = boolean,
> {
  readonly type: T;
  /** The documentation of the argument: full sentences in Markdown. */
  readonly doc: string;
  /** The name in messages and documentation. @default the property's name in snake_case */
  readonly wire?: string | undefined;
  /** Lets the function accept null, which Terraform refuses otherwise. @default false */
  readonly allowNull?: Null | undefined;
  /**
   * Calls the function with values that are not known yet. Otherwise Terraform does not call it, and the
   * result is unknown. @default false
   */
  readonly allowUnknown?: Hole | undefined;
  /** True if the parameter takes all remaining arguments. */
  readonly isVariadic: Many;
}

/** Parameters by their name in TypeScript, in the order of the arguments. */
export type Parameters = Readonly<Record<string, Parameter>>;

interface ParameterOptions<Null extends boolean, Hole extends boolean> {
  readonly doc: string;
  readonly wire?: string | undefined;
  readonly allowNull?: Null | undefined;
  readonly allowUnknown?: Hole | undefined;
}

/** One argument of a function. */
export function parameter<
  T extends Type,
  const Null extends boolean = false,
  const Hole extends boolean = false,
>(
  type: T,
  options: ParameterOptions<Null, Hole>,
): Parameter<T, NoInfer<Null>, NoInfer<Hole>, false> {
  return { ...options, type, isVariadic: false };
}

/** All remaining arguments of a function, possibly none. It must be the last parameter. */
export function variadic<
  T extends Type,
  const Null extends boolean = false,
  const Hole extends boolean = false,
>(
  type: T,
  options: ParameterOptions<Null, Hole>,
): Parameter<T, NoInfer<Null>, NoInfer<Hole>, true> {
  return { ...options, type, isVariadic: true };
}

/** A declared function, which a configuration calls as `provider::PROVIDER::NAME(…)`. */
export interface FunctionDeclaration<P extends Parameters = Parameters, R extends Type = Type> {
  /** The name in Terraform. */
  readonly name: string;
  /** One sentence, without Markdown. */
  readonly summary: string;
  /** The documentation of the function: full sentences in Markdown. */
  readonly doc: string;
  readonly parameters: P;
  readonly returns: R;
  /** A call with its result, for the documentation: HCL. */
  readonly example?: string | undefined;
  /** The reason not to use the function any longer, and its replacement. */
  readonly deprecated?: string | undefined;
}

/**
 * Declares a function of a provider. Terraform calls it without configuring the provider, in any phase, and
 * expects equal results for equal arguments.
 *
 * @param name lowercase letters, digits and underscores
 * @throws Error when Terraform cannot use the declaration
 * @see {@link https://developer.hashicorp.com/terraform/plugin/framework/functions/concepts}
 */
export function providerFunction<const P extends Parameters, R extends Type>(
  name: string,
  body: Omit<FunctionDeclaration<P, R>, "name">,
): FunctionDeclaration<P, R> {
  if (!/^[a-z][a-z\d_]*$/.test(name)) {
    throw new Error(
      `the function name ${JSON.stringify(name)} must start with a lowercase letter and consist of lowercase letters, digits and underscores`,
    );
  }
  const notLast = Object.entries(body.parameters)
    .slice(0, -1)
    .find(([, { isVariadic }]) => isVariadic);
  if (notLast !== undefined) {
    throw new Error(`${name}: the variadic parameter ${notLast[0]} must be the last one`);
  }
  const parameters = Object.entries(body.parameters).map(
    ([key, each]) => [key, required(each.type, each)] as const,
  );
  checkDeclaration("function", { type: name, attributes: Object.fromEntries(parameters) });
  checkDeclaration("function", {
    type: name,
    attributes: { result: required(body.returns, { doc: "" }) },
  });
  return { ...body, name };
}

type ArgumentOf<P> =
  P extends Parameter<infer T, infer Null, infer Hole, infer Many>
    ? Many extends true
      ? readonly OneOf<T, Null, Hole>[]
      : OneOf<T, Null, Hole>
    : never;

type OneOf<T, Null, Hole> =
  | (Hole extends true ? Filled<T, "config"> | Unknown : Filled<T, "state">)
  | (Null extends true ? null : never);

/** The arguments that a function receives. A variadic parameter is an array. */
export type ArgumentsOf<F extends FunctionDeclaration> = {
  readonly [K in keyof F["parameters"]]: ArgumentOf<F["parameters"][K]>;
};

type HasHole<P extends Parameters> = {
  [K in keyof P]: P[K] extends Parameter<Type, boolean, infer Hole>
    ? Hole extends true
      ? true
      : never
    : never;
}[keyof P];

/** The type of a function's result. It may be unknown only if an argument may be. */
export type ResultOf<F extends FunctionDeclaration> =
  | ([HasHole<F["parameters"]>] extends [never]
      ? Filled<F["returns"], "state">
      : Filled<F["returns"], "config"> | Unknown)
  | null;
