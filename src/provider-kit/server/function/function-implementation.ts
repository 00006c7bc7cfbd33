import type { ArgumentsOf, FunctionDeclaration, ResultOf } from "../../../schema/function";
import type { Values } from "../../../schema/resource-rule";

/** A function with its handler, without the types of its declaration. */
export interface FunctionImplementation {
  readonly declaration: FunctionDeclaration;
  readonly call: (values: Values) => unknown;
}

/**
 * Combines a declared function with its handler.
 *
 * The handler must return equal results for equal arguments and depend on nothing else: Terraform calls it
 * in every phase, also before the provider is configured. It throws a `FunctionError` when an argument is
 * to blame.
 *
 * @example implementFunction(shout)(({ text }) => text.toUpperCase())
 */
export function implementFunction<F extends FunctionDeclaration>(declaration: F) {
  return (
    call: (values: ArgumentsOf<F>) => ResultOf<F> | Promise<ResultOf<F>>,
  ): FunctionImplementation => ({
    declaration,
    // The kit decodes the arguments by this declaration, from which the handler's types are derived.
    call: call as unknown as FunctionImplementation["call"],
  });
}
