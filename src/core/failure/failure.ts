/** Details of a {@link Failure}. */
export interface FailureFacts {
  /** What to do, in full sentences. @default the advice for its code, if the boundary that reports it has any */
  readonly advice?: string | undefined;
  /** The place: an index in text or among arguments, from 0, or a line number. @default no particular place */
  readonly at?: number | undefined;
  /** The caught value. */
  readonly cause?: unknown;
}

/**
 * The error for every expected failure: a code from a closed set, and a message with a subject. It travels unchanged to
 * the boundary that reports it (a provider's diagnostic, or the end of a command), where a table has the summary and the
 * advice for each code. Neither the message nor the advice contains secrets.
 */
export class Failure<Code extends string = string> extends Error {
  readonly advice: string | undefined;
  readonly at: number | undefined;

  constructor(
    readonly code: Code,
    message: string,
    facts: FailureFacts = {},
  ) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.advice = facts.advice;
    this.at = facts.at;
  }
}

/**
 * Declares the failures of a room.
 *
 * @param name the error's `name`, by which the room recognises its failures, and which bug reports show
 * @returns a function that creates a failure, and one that recognises it, optionally only with some codes
 */
export function failures<Code extends string>(name: string) {
  const create = <C extends Code>(code: C, message: string, facts?: FailureFacts): Failure<C> =>
    Object.assign(new Failure(code, message, facts), { name });
  const isOne = <C extends Code = Code>(
    error: unknown,
    ...codes: readonly C[]
  ): error is Failure<C> =>
    isFailure(error) &&
    error.name === name &&
    (codes.length === 0 || codes.some((code) => code === error.code));
  return [create, isOne] as const;
}

/** Returns the same failure with a more specific message, such as one that names the place. */
export function within<Code extends string>(
  failure: Failure<Code>,
  message: string,
): Failure<Code> {
  const { name, code } = failure;
  return Object.assign(new Failure(code, message, failure), { name });
}

/** Recognises any failure. Every other error is a bug, or comes from Node.js. */
export const isFailure = (error: unknown): error is Failure => error instanceof Failure;

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Recognises the end of a call by its caller or its deadline, for which the called service is not to blame. */
export const isEnd = (error: unknown): error is Failure<"CANCELLED" | "DEADLINE"> =>
  isFailure(error) && (error.code === "CANCELLED" || error.code === "DEADLINE");
