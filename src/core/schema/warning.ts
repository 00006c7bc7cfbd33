import type { Finding, Path } from "./finding";

/** A kind of warning: a value is accepted, but probably not intended. Users can acknowledge it by its code. */
export interface Warning {
  /** Stable, unique, in kebab-case: `endpoint-without-network`. */
  readonly code: string;
  /** The subject of the warning, in Markdown, for the reference page. */
  readonly doc: string;
  /**
   * Creates a finding.
   *
   * @param message a predicate without a full stop: the problem, and how to fix it
   */
  readonly at: (path: Path, message: string) => Finding;
}

const all = new Map<string, Warning>();

/**
 * Defines a warning, beside the rule that finds it.
 *
 * @throws Error if the code is not in kebab-case, or if another warning has it
 */
export function warning(code: string, doc: string): Warning {
  if (!/^[a-z]+(-[a-z\d]+)+$/.test(code)) {
    throw new Error(
      `the code of a warning must be lowercase words joined by hyphens, such as "endpoint-without-network" (got "${code}")`,
    );
  }
  const at = (path: Path, message: string): Finding => ({
    code: "ADVICE",
    severity: "warning",
    warning: code,
    path,
    message,
  });
  const defined: Warning = { code, doc, at };
  // A library that is loaded twice defines its warnings twice.
  if ((all.get(code) ?? defined).doc !== doc) {
    throw new Error(`two warnings have the code "${code}"`);
  }
  all.set(code, defined);
  return defined;
}

/** Returns the warnings of all modules that are loaded, by their codes. */
export const knownWarnings = (): ReadonlyMap<string, Warning> => all;
