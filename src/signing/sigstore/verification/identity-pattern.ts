import { RE2JS } from "re2js";
import type { TextPattern } from "./identity-rule";

/**
 * A compiled RE2 expression. It matches anywhere in a string, unless it contains anchors.
 *
 * Only policies need it: signing does not load the library.
 */
export class IdentityPattern implements TextPattern {
  readonly #compiled: RE2JS;

  /** @throws IdentityPatternError if the source is not a valid RE2 expression */
  constructor(readonly source: string) {
    try {
      this.#compiled = RE2JS.compile(source);
    } catch (error) {
      throw new IdentityPatternError(source, error);
    }
  }

  /** Whether a string contains a match. */
  isFoundIn(text: string): boolean {
    return this.#compiled.test(text);
  }
}

/** The source of a pattern is not a valid RE2 expression. */
export class IdentityPatternError extends Error {
  override readonly name = "IdentityPatternError";

  constructor(source: string, cause: unknown) {
    super(`${JSON.stringify(source)} is not a valid RE2 regular expression`, { cause });
  }
}
