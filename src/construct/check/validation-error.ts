import { formatPath, type Finding } from "../../schema";

/** A construct as messages name it: `ids.Endpoint at Demo/Edge`. */
export interface ConstructLabel {
  /** The class with its namespace, such as `ids.Endpoint`. */
  readonly type: string;
  /** The construct's path in the tree. */
  readonly path: string;
}

/** Formats the findings about one construct: a headline, then one line per finding. */
export function describeFindings(label: ConstructLabel, findings: readonly Finding[]): string {
  const count = findings.length === 1 ? "1 problem" : `${findings.length} problems`;
  const lines = findings.map(({ path, message }) => {
    const at = formatPath(path);
    return at === "" ? `  ${message}` : `  ${at}: ${message}`;
  });
  return [`${label.type} at ${label.path}: ${count}`, ...lines].join("\n");
}

/**
 * A construct has values that its declaration refuses.
 *
 * The construct's constructor throws it, with all findings, not just the first. Warnings are never
 * thrown: they become annotations.
 */
export class ValidationError extends Error {
  override readonly name = "ValidationError";
  /** The path that the refused construct would have in the tree. */
  readonly constructPath: string;
  /** The findings, in the order of the declaration. */
  readonly findings: readonly Finding[];

  /**
   * @param below the function below which the stack trace starts, so that its first line is the user's code
   */
  constructor(
    label: ConstructLabel,
    findings: readonly Finding[],
    // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- the parameter type of captureStackTrace
    below?: Function,
  ) {
    super(describeFindings(label, findings));
    this.constructPath = label.path;
    this.findings = findings;
    if (below !== undefined) Error.captureStackTrace(this, below);
  }
}
