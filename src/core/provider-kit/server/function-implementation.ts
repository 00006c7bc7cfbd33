import type { ArgumentsOf, FunctionDeclaration, ResultOf } from "../../schema/function";
import type { Values } from "../../schema/resource-rule";
import type { Path } from "../../schema/finding";

/** A function with its handler, without the types of its declaration. */
export interface FunctionImplementation {
  readonly declaration: FunctionDeclaration;
  readonly call: (values: Values) => unknown;
}

/**
 * Combines a declared function with its handler.
 *
 * The handler must return equal results for equal arguments and depend on nothing else: Terraform calls it in
 * every phase, even before the provider is configured. It throws a `FunctionError` when an argument is to
 * blame.
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

/** The message that Terraform shows when a function fails. */
export interface FunctionErrorProps {
  /**
   * A clause, with the argument as its subject if there is a `path`: `must be an image reference`. Never
   * a secret: Terraform does not tell the function which arguments are sensitive.
   */
  readonly message: string;
  /**
   * The argument to blame, in the declaration's names, and the place inside it: `["reference"]`; for
   * the second of several arguments `["parts", 1]`.
   *
   * @default the whole call
   */
  readonly path?: Path | undefined;
  /** The caught value, for logs. It is not shown. */
  readonly cause?: unknown;
}

/**
 * The error that a function throws when its arguments are to blame.
 *
 * Any other error is reported as a bug in the provider.
 */
export class FunctionError extends Error {
  override readonly name = "FunctionError";
  readonly path: Path;

  constructor({ message, path = [], cause }: FunctionErrorProps) {
    super(message, cause === undefined ? undefined : { cause });
    this.path = path;
  }
}
