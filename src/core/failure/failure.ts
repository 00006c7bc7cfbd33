/** What a {@link Failure} has beside its code and its message. */
export interface FailureFacts {
  /** What to do about it, in full sentences. @default the boundary that reports it says what to do, or nothing is said */
  readonly advice?: string | undefined;
  /** Where: an index in a text or among arguments, from 0, or the number of a line. @default nowhere in particular */
  readonly at?: number | undefined;
  /** The caught value. */
  readonly cause?: unknown;
}

/**
 * The way in which everything fails: with a code of a closed set, and a message with a subject. It travels unchanged to
 * the boundary that reports it, where one table has the summary and the advice for each code: the diagnostic of a
 * provider, or the end of a command. Neither the message nor the advice contains secrets.
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
 * Declares the failures of a room, by their codes.
 *
 * @param name that of the failures, by which the room recognises them, and which reports of bugs show
 * @returns what creates a failure, and what recognises one, perhaps only with some of the codes
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

/** The same failure with a message that says more, such as where it happened. */
export function within<Code extends string>(
  failure: Failure<Code>,
  message: string,
): Failure<Code> {
  const { name, code } = failure;
  return Object.assign(new Failure(code, message, failure), { name });
}

/** Checks for any failure. What is none is a bug, or an error of Node.js. */
export const isFailure = (error: unknown): error is Failure => error instanceof Failure;

/** What a caught value says. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Checks for the end of a call, which says nothing about what was called. */
export const isEnd = (error: unknown): error is Failure<"CANCELLED" | "DEADLINE"> =>
  isFailure(error) && (error.code === "CANCELLED" || error.code === "DEADLINE");
