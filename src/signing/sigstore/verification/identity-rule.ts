import { RE2JS } from "re2js";

/** Who may have signed: the name in the certificate, and who vouched for it. */
export interface IdentityRule {
  readonly subject: TextRule;
  readonly issuer: TextRule;
}

/** Every text that is equal, or in which the RE2 expression is found anywhere. */
export type TextRule = { readonly equals: string } | { readonly contains: IdentityPattern };

/** A compiled RE2 expression; it anchors itself, or it does not. */
export class IdentityPattern {
  private readonly compiled: RE2JS;

  /** @throws IdentityPatternError when the text is not RE2. */
  constructor(readonly source: string) {
    try {
      this.compiled = RE2JS.compile(source);
    } catch (error) {
      throw new IdentityPatternError(source, error);
    }
  }

  isFoundIn(text: string): boolean {
    return this.compiled.test(text);
  }
}

export class IdentityPatternError extends Error {
  override readonly name = "IdentityPatternError";

  constructor(source: string, cause: unknown) {
    super(`${JSON.stringify(source)} is not a regular expression of RE2`, { cause });
  }
}

export function matches(rule: TextRule, text: string): boolean {
  return "equals" in rule ? rule.equals === text : rule.contains.isFoundIn(text);
}

/** For messages. */
export function describeRule({ subject, issuer }: IdentityRule): string {
  return `${describe(subject)} from ${describe(issuer)}`;
}

function describe(rule: TextRule): string {
  return "equals" in rule ? JSON.stringify(rule.equals) : `/${rule.contains.source}/`;
}
