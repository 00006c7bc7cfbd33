import { messageOf } from "../../failure/failure";
import { problemRule } from "../../schema";
import type * as re2Module from "../../regular-expression/re2";

/**
 * RE2 takes time proportional to the length of the searched string × the size of the program, which is about as long as
 * the pattern with its repetitions expanded. Without these limits, one value could take minutes. The longest value of an
 * environment variable, 128 kB, can be searched by programs of up to 760 steps.
 */
const maxPatternBytes = 1_000;
const maxProgramSize = 3_000;
const maxWork = 100_000_000;

/** A compiled pattern, or the reason for which it is invalid, as a message that begins with `must`. */
type Pattern =
  | {
      readonly problem: undefined;
      readonly syntax?: undefined;
      /** Maximum length of a searched string, in UTF-16 code units. */
      readonly maxLength: number;
      readonly isIn: (text: string) => boolean;
    }
  | {
      readonly problem: string;
      /** The error of the syntax; undefined if the pattern is only too long. */
      readonly syntax?: string | undefined;
    };

/**
 * A regular expression in RE2 syntax: no look-around, no back-references.
 *
 * @see https://github.com/google/re2/wiki/Syntax
 */
export const regularExpressionRule = problemRule(
  [
    "must be a regular expression in RE2 syntax",
    `must be at most ${maxPatternBytes} bytes long, and at most ${maxProgramSize} steps with its repetitions expanded`,
  ],
  (text) => patternOf(text).problem,
);

/**
 * Checks whether a part of a string matches a pattern; `^` and `$` anchor it to the ends.
 *
 * A pattern that {@link regularExpressionRule} rejects matches everything, because the pattern is wrong and
 * not the string. A string that is too long for the pattern does not match.
 */
export function matches(pattern: string, text: string): boolean {
  const found = patternOf(pattern);
  return found.problem !== undefined || (text.length <= found.maxLength && found.isIn(text));
}

const cache = new Map<string, Pattern>();
const maxCached = 100;

/** Compiles a pattern. Patterns are cached; a full cache starts again from empty. */
export function patternOf(text: string): Pattern {
  let pattern = cache.get(text);
  if (pattern === undefined) {
    pattern = compile(text);
    if (cache.size >= maxCached) cache.clear();
    cache.set(text, pattern);
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
        problem: `must be at most ${maxProgramSize} steps with its repetitions expanded, not ${engine.programSize()}`,
      };
    }
    const maxLength = Math.floor(maxWork / engine.programSize());
    return { problem: undefined, maxLength, isIn: (searched) => engine.test(searched) };
  } catch (error) {
    const reason = messageOf(error);
    return {
      problem: `must be a regular expression in RE2 syntax: ${reason.replace("error parsing regexp: ", "")}`,
      syntax: reason,
    };
  }
}

let loaded: typeof re2Module | undefined;

/** Loads the engine when the first pattern is compiled, so that a start without patterns stays fast. */
function re2(): typeof re2Module {
  // A static import would load the engine together with the declaration.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  loaded ??= require("../../regular-expression/re2") as typeof re2Module;
  return loaded;
}
