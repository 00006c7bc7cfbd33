/** The position of a finding in a declaration's values: property names and list indices. */
export type Path = readonly (string | number)[];

/** An error makes the values invalid. A warning is only shown. */
export type Severity = "error" | "warning";

/** The meanings of errors, for the pages of the codes. */
export const errorMeanings = {
  INVALID_ARGUMENT: "a value breaks a rule of its attribute",
  WRONG_TYPE: "a value is not of its attribute's type",
  MISSING: "a required value is absent",
  UNKNOWN_PROPERTY: "no property of this name can be set",
  CONFLICT: "values cannot be combined, or not exactly one of several is set",
  REQUIRES: "a value needs another value",
  TOKEN_MISUSE: "a token is used where tokens of its kind are not accepted",
  LITERAL_INTERPOLATION: "Terraform would read a string as an expression or a comment",
  DUPLICATE: "two constructs cannot exist together",
} as const;

/**
 * The kind of rule that was broken: that of an error, or one of these for a warning.
 *
 * - `ADVICE`: accepted here, but refused or ignored later
 * - `DEPRECATED`: a value that will no longer be accepted in the future
 */
export type FindingCode = keyof typeof errorMeanings | "ADVICE" | "DEPRECATED";

/** One problem that a rule reports. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** The value that is to blame, in the declaration's (camelCase) names. */
  readonly path: Path;
  /** The code of a warning, by which users acknowledge it: `endpoint-without-network`. */
  readonly warning?: string | undefined;
  /** One predicate without a full stop: the rule, the value, and how to fix it. */
  readonly message: string;
  /** Set if a string is to blame that resembles an accepted one. The message ends with it. */
  readonly correction?: Correction | undefined;
}

/** Formats a path for people as Terraform does: `option[0].name`, `labels["my-key"]`. */
export function formatPath(path: Path): string {
  let formatted = "";
  for (const step of path) {
    if (typeof step === "number") formatted += `[${step}]`;
    else if (/^[A-Za-z_]\w*$/.test(step)) formatted += formatted === "" ? step : `.${step}`;
    else formatted += `[${JSON.stringify(step)}]`;
  }
  return formatted;
}

const maxLength = 100;

/** Formats a value for a message: as JSON, truncated to 100 characters. Never shows a private key. */
export function display(value: unknown): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === "bigint" ? inner.toString() : inner,
    );
  } catch {
    json = undefined;
  }
  json ??= String(value);
  if (/-----BEGIN [^-]*PRIVATE KEY/.test(json)) return "a private key";
  return json.length <= maxLength ? json : `${json.slice(0, maxLength - 1)}…`;
}

/** Counts the edits (insert, delete, replace, swap neighbours) that turn one string into another. */
function distance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1];
      let best = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[to.length] ?? 0;
}

/** Returns the candidate that was probably meant: it differs in a few letters, and not in all of them. */
export function suggestion(name: string, candidates: Iterable<string>): string | undefined {
  const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[_-]/g, "");
  const wanted = lettersOf(name);
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  if (wanted.length > 64) return undefined;
  for (const candidate of candidates) {
    const letters = lettersOf(candidate);
    const found = distance(wanted, letters);
    if (found < Math.min(bestDistance, Math.max(wanted.length, letters.length))) {
      [best, bestDistance] = [candidate, found];
    }
  }
  return best;
}

/** A string to be replaced by another one. */
export interface Correction {
  readonly got: string;
  readonly meant: string;
}

/** Ends a message with a correction. */
export const correctionText = ({ got, meant }: Correction): string =>
  ` (got ${JSON.stringify(got)}); did you mean ${JSON.stringify(meant)}?`;

/** Returns `; did you mean "x"?`, or the empty string. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const found = suggestion(name, candidates);
  return found === undefined ? "" : `; did you mean ${JSON.stringify(found)}?`;
}
