import { annotationText, type ConstructRemark, type Finding, remarkOf } from "../../schema";
import { withUserStack } from "./user-stack";

/** A construct as messages name it: `ids.Endpoint at Demo/Edge`. */
interface ConstructLabel {
  readonly type: string;
  readonly path: string;
}

/** Checks for a finding that refuses the values. */
export const isError = ({ severity }: Finding): boolean => severity === "error";

/** Formats the findings about one construct: a headline, then one line per finding with its code, errors first. */
export function describeFindings(label: ConstructLabel, findings: readonly Finding[]): string {
  const errors = findings.filter(isError);
  const warnings = findings.filter((finding) => !isError(finding));
  const count = errors.length === 1 ? "1 problem" : `${errors.length} problems`;
  const lines = [...errors, ...warnings].map((finding) => {
    const text = annotationText(remarkOf(finding));
    return isError(finding) ? `  ${text}` : `  warning: ${text}`;
  });
  const where = label.path === "" ? "" : ` at ${label.path}`;
  return [`${label.type}${where}: ${count}`, ...lines].join("\n");
}

/** @param constructPath undefined if the construct is refused, so that it does not exist */
export const remarksOf = (findings: readonly Finding[], constructPath?: string) =>
  findings.map((finding): ConstructRemark => ({
    ...remarkOf(finding),
    severity: finding.severity,
    ...(constructPath !== undefined && { constructPath }),
  }));

/** Adds findings to an error as data for `trivet`. Node.js would print an enumerable property of an uncaught error. */
export function addRemarks(error: Error, value: readonly ConstructRemark[]): void {
  Object.defineProperty(error, Symbol.for("@trivet/constructs:remarks"), { value });
}

/**
 * The error for a construct with values that its declaration refuses.
 *
 * The constructor of the construct throws it with all findings, not only the first. Its message ends with the
 * warnings, which are never thrown alone: without an error, they become annotations.
 *
 * The stack trace contains only the user's own lines, the first of which creates the construct.
 */
export class ValidationError extends Error {
  override readonly name = "ValidationError";
  readonly #constructPath: string;
  readonly #findings: readonly Finding[];

  /**
   * @param findings the errors and the warnings
   * @param below the function below which the stack trace starts, so that its first line is the user's code
   */
  constructor(
    label: ConstructLabel,
    findings: readonly Finding[],
    // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- the parameter type of captureStackTrace
    below?: Function,
  ) {
    super(describeFindings(label, findings));
    this.#constructPath = label.path;
    this.#findings = findings.filter(isError);
    addRemarks(this, remarksOf(findings));
    if (below !== undefined) Error.captureStackTrace(this, below);
    withUserStack(this);
  }

  // Getters, because Node.js prints the properties of an uncaught error below its stack trace.

  /** The path that the refused construct would have in the tree. */
  get constructPath(): string {
    return this.#constructPath;
  }

  /** The errors, in the order of the declaration. */
  get findings(): readonly Finding[] {
    return this.#findings;
  }
}
