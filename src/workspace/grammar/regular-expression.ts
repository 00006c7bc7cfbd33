import { rule } from "../../schema";
import type * as re2Module from "./re2";

/**
 * RE2 needs time in proportion to the text times the program, which is about as long as the pattern with
 * its repetitions written out. Hence bounds of all three: beyond them one value could take minutes. The
 * longest text that an environment variable can hold, 128 kB, is searched by programs of up to 760 steps.
 */
const maxPatternBytes = 1_000;
const maxProgramSize = 3_000;
const maxWork = 100_000_000;

/** A pattern that can be searched for, or why it cannot, as a `must …` sentence. */
export type Pattern =
  | {
      readonly problem: undefined;
      /** How long a text may be that is searched. */
      readonly maxLength: number;
      readonly isIn: (text: string) => boolean;
    }
  | { readonly problem: string };

/** A regular expression in RE2 syntax: no look-around, no back-references. */
export const regularExpressionRule = rule(
  [
    "must be a regular expression in RE2 syntax",
    `must be at most ${maxPatternBytes} bytes long, and at most ${maxProgramSize} steps with its repetitions written out`,
  ],
  (z) =>
    z.string().check(({ value, issues }) => {
      const { problem } = patternOf(value);
      if (problem !== undefined) issues.push({ code: "custom", input: value, message: problem });
    }),
);

/**
 * Whether some part of a text matches a pattern; `^` and `$` anchor it to the ends.
 *
 * A pattern that {@link regularExpressionRule} refuses matches everything: the pattern is to blame,
 * not the text. A text that is too long for the pattern does not match.
 */
export function matches(pattern: string, text: string): boolean {
  const found = patternOf(pattern);
  return found.problem !== undefined || (text.length <= found.maxLength && found.isIn(text));
}

const remembered = new Map<string, Pattern>();
const maxRemembered = 100;

/** The pattern that a text stands for; the most recent ones are remembered. */
export function patternOf(text: string): Pattern {
  let pattern = remembered.get(text);
  if (pattern === undefined) {
    pattern = compile(text);
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(text, pattern);
  }
  return pattern;
}

function compile(text: string): Pattern {
  if (Buffer.byteLength(text) > maxPatternBytes) {
    return { problem: `must be at most ${maxPatternBytes} bytes long` };
  }
  try {
    const engine = re2().RE2JS.compile(text);
    if (engine.programSize() > maxProgramSize) {
      return {
        problem: `must be at most ${maxProgramSize} steps with its repetitions written out, not ${engine.programSize()}`,
      };
    }
    const maxLength = Math.floor(maxWork / engine.programSize());
    return { problem: undefined, maxLength, isIn: (searched) => engine.test(searched) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      problem: `must be a regular expression in RE2 syntax: ${reason.replace("error parsing regexp: ", "")}`,
    };
  }
}

let loaded: typeof re2Module | undefined;

/** Loads the engine when the first pattern is compiled: a start without patterns does not pay for it. */
export function re2(): typeof re2Module {
  // A static import would be evaluated when the declaration is.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  loaded ??= require("./re2") as typeof re2Module;
  return loaded;
}
