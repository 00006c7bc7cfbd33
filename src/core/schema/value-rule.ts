import { isObject, parsedJson } from "../json/plain-json";
import type { FindingCode, Severity } from "./finding";
import { warning } from "./warning";
import type * as zodModule from "./zod";

/** Zod's constructors, the argument of {@link ValueRule.schema}. */
type Zod = typeof zodModule;

let loaded: Zod | undefined;

/** Loads zod when the first rule needs it, so that neither a provider's start nor an import pays for it. */
export function zod(): Zod {
  // A static import would be evaluated when the declaration is.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  loaded ??= require("./zod") as Zod;
  return loaded;
}

/** The only method of a zod schema that is called, so that schemas of any zod version work. */
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
  /** The code of the warning. @default the rule is an error */
  readonly warning?: string | undefined;
  /** The form of a valid value, for the reference page: `must …` without a full stop. */
  readonly doc: readonly string[];
  /** Creates the zod schema that checks values. It is called once, when the first value is checked. */
  readonly schema: (z: Zod) => RuleSchema;
  /**
   * Accepts values that are certainly valid. The zod schema, and zod itself, are loaded only for other
   * values.
   */
  readonly accepts?: ((value: unknown) => boolean) | undefined;
}

/** How a rule differs from an ordinary error. */
interface ValueRuleOptions {
  /** @default "INVALID_ARGUMENT" */
  readonly code?: FindingCode;
  /**
   * The code of a warning, such as `endpoint-network-form`: lowercase words joined by hyphens. It never changes.
   * Values that break the rule are then accepted.
   *
   * @default such values are refused
   */
  readonly warning?: string;
  /**
   * A cheap check that accepts most valid values, and no value that the zod schema refuses.
   *
   * @default the zod schema checks every value
   */
  readonly accepts?: (value: unknown) => boolean;
}

/** Creates a rule that checks values with a zod schema and is documented by `doc`. */
export function rule(
  doc: string | readonly string[],
  schema: (z: Zod) => RuleSchema,
  options: ValueRuleOptions = {},
): ValueRule {
  const docs = typeof doc === "string" ? [doc] : doc;
  const common = { doc: docs, schema, accepts: options.accepts };
  if (options.warning === undefined) {
    return { ...common, code: options.code ?? "INVALID_ARGUMENT", severity: "error" };
  }
  const { code } = warning(options.warning, docs.join("; "));
  return { ...common, code: "ADVICE", severity: "warning", warning: code };
}

/**
 * Creates a rule on a string from a function.
 *
 * @param problem returns the problem with a string, `must …` without a full stop; undefined if the string is
 * valid
 */
export function problemRule(
  doc: string | readonly string[],
  problem: (text: string) => string | undefined,
  options: ValueRuleOptions = {},
): ValueRule {
  return rule(
    doc,
    (z) =>
      z.string().check(({ value, issues }) => {
        const message = problem(value);
        if (message !== undefined) issues.push({ code: "custom", input: value, message });
      }),
    {
      ...options,
      accepts: (value) => typeof value === "string" && problem(value) === undefined,
    },
  );
}

/** Patterns that a string must match, each with the message for one that does not. */
type PatternTable = readonly (readonly [pattern: RegExp, must: string])[];

const mismatch = (rows: PatternTable, text: string): string | undefined =>
  rows.find(([pattern]) => !pattern.test(text))?.[1];

/**
 * Creates a rule for strings that must match every pattern of a table.
 *
 * A finding has the message of the first row that the string does not match. The reference page lists all messages.
 */
export const stringRule = (rows: PatternTable, options?: ValueRuleOptions): ValueRule =>
  problemRule(
    rows.map(([, must]) => must),
    (text) => mismatch(rows, text),
    options,
  );

const must = "must be a JSON object as a string";

/** A string must contain a JSON object (RFC 8259). */
export const jsonObjectRule = problemRule(must, (text) =>
  isObject(parsedJson(text)) ? undefined : must,
);
