import { RE2JS } from "re2js";

/** An allowed identity: the subject in the certificate, and the issuer of the identity token. */
export interface IdentityRule {
  readonly subject: TextRule;
  readonly issuer: TextRule;
}

/**
 * Matches strings that are equal, or that contain a match of an RE2 expression.
 *
 * @see https://github.com/google/re2/wiki/Syntax
 */
export type TextRule = { readonly equals: string } | { readonly contains: IdentityPattern };

/** A compiled RE2 expression. It matches anywhere in a string, unless it contains anchors. */
export class IdentityPattern {
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

/** Whether a rule matches a string. */
export function matches(rule: TextRule, text: string): boolean {
  return "equals" in rule ? rule.equals === text : rule.contains.isFoundIn(text);
}

/** A rule as a phrase, for messages. */
export function describeRule({ subject, issuer }: IdentityRule): string {
  return `${describe(subject)} from ${describe(issuer)}`;
}

function describe(rule: TextRule): string {
  return "equals" in rule ? JSON.stringify(rule.equals) : `/${rule.contains.source}/`;
}
