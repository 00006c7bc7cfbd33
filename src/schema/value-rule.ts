import type { FindingCode, Severity } from "./finding";
import type { Zod } from "./lazy-zod";

/** The one method of a zod schema that is called, so that schemas of any zod version work. */
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
  /** Zod reports problems of a record's key one level deeper. */
  readonly issues?: readonly RuleIssue[] | undefined;
}

/** A rule on the known value of one attribute. */
export interface ValueRule {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** What a valid value looks like, for the reference page: `must …` without a full stop. */
  readonly doc: readonly string[];
  /** Creates the zod schema that checks values. It is called once, when the first value is checked. */
  readonly schema: (z: Zod) => RuleSchema;
}

/** How a rule differs from an ordinary error. */
export interface ValueRuleOptions {
  /** @default "INVALID_ARGUMENT" */
  readonly code?: FindingCode;
  /** @default "error" */
  readonly severity?: Severity;
}

/** A rule that checks values with a zod schema and is documented by `doc`. */
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
 * A rule on a string that must match every pattern of a table.
 *
 * The message is that of the first row that the string does not match. The reference page lists the
 * messages of all rows.
 */
export function stringRule(
  rows: readonly (readonly [pattern: RegExp, must: string])[],
  options: ValueRuleOptions = {},
): ValueRule {
  return rule(
    rows.map(([, must]) => must),
    (z) =>
      // One check for all rows, since a zod check costs as much as several patterns.
      z.string().check(({ value, issues }) => {
        const row = rows.find(([pattern]) => !pattern.test(value));
        if (row !== undefined) issues.push({ code: "custom", input: value, message: row[1] });
      }),
    options,
  );
}
