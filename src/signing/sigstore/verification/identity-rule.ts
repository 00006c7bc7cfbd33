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
export type TextRule = { readonly equals: string } | { readonly contains: TextPattern };

/** Finds matches in strings. Policies compile RE2 expressions to patterns, in `identity-pattern.ts`. */
export interface TextPattern {
  readonly source: string;
  /** Whether a string contains a match. */
  isFoundIn(text: string): boolean;
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
