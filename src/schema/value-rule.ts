import type { FindingCode, Severity } from "./finding";
import type { Zod } from "./lazy-zod";

/** The one method of a zod schema that is called, so that any zod's schema serves. */
export interface RuleSchema {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true }
    | { readonly success: false; readonly error: { readonly issues: readonly RuleIssue[] } };
}

/** The part of a zod issue that is read. */
export interface RuleIssue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** What zod says of a record's key stands one level deeper. */
  readonly issues?: readonly RuleIssue[] | undefined;
}

/** A rule on the known value of one attribute. */
export interface ValueRule {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** What a valid value is like, for the reference page: `must …` sentences without a final stop. */
  readonly doc: readonly string[];
  /** Builds the zod schema that decides; called once, when the first value is checked. */
  readonly schema: (z: Zod) => RuleSchema;
}

/** How a rule is told apart from the usual error. */
export interface ValueRuleOptions {
  /** @default "INVALID_ARGUMENT" */
  readonly code?: FindingCode;
  /** @default "error" */
  readonly severity?: Severity;
}

/** A rule whose decision is a zod schema and whose documentation is `doc`. */
export function rule(
  doc: string | readonly string[],
  schema: (z: Zod) => RuleSchema,
  options: ValueRuleOptions = {},
): ValueRule {
  return {
    code: options.code ?? "INVALID_ARGUMENT",
    severity: options.severity ?? "error",
    doc: typeof doc === "string" ? [doc] : doc,
    schema,
  };
}

/**
 * A rule on a text that must match every pattern of a table.
 *
 * A text is answered with the sentence of the first row that it does not match; the sentences of all
 * rows make the reference page.
 */
export function stringRule(
  rows: readonly (readonly [pattern: RegExp, must: string])[],
  options: ValueRuleOptions = {},
): ValueRule {
  return rule(
    rows.map(([, must]) => must),
    (z) =>
      // One check for all rows: zod's own price of a check is that of several patterns.
      z.string().check(({ value, issues }) => {
        const row = rows.find(([pattern]) => !pattern.test(value));
        if (row !== undefined) issues.push({ code: "custom", input: value, message: row[1] });
      }),
    options,
  );
}
