import { Plan, type PlanTarget, isNoAnswerError, noAnswerError } from "./plan";

/** What jest and vitest tell a matcher. */
export interface MatcherContext {
  /** True after `not`. */
  readonly isNot?: boolean;
}

/** What a matcher tells jest and vitest. */
export interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The call of a matcher, as it is written. */
export interface Question {
  readonly name: string;
  readonly args: readonly string[];
}

interface Answer {
  readonly isMet: boolean;
  /** What the plan does instead. */
  readonly found: string;
}

/** Calls a matcher's question. One without an answer fails, also after `not`. */
export function answered(
  { isNot = false }: MatcherContext,
  { name, args }: Question,
  answer: () => Answer,
): Verdict {
  const call = `expect(plan)${isNot ? ".not" : ""}.${name}(${args.join(", ")})`;
  const message = (found: string) => (): string => `${call}\n\n${found.trimEnd()}\n`;
  try {
    const { isMet, found } = answer();
    return { pass: isMet, message: message(found) };
  } catch (error) {
    if (!isNoAnswerError(error)) throw error;
    return { pass: isNot, message: message(error.message) };
  }
}

/** @throws NoAnswerError if it is not a plan */
export function planIn(received: unknown): Plan {
  if (received instanceof Plan) return received;
  throw noAnswerError(
    "NO_ANSWER",
    "This matcher needs a plan, which planOf promises: write `expect(await planOf(stack))`.",
  );
}

/** A resource, as it is named in messages. */
export const shownTarget = (target: PlanTarget): string =>
  typeof target === "string" ? target : target.node.path;
