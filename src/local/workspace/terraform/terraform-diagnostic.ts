import { listOf, objectOf, stringOf } from "./json-value";

export interface DiagnosticPlace {
  /** Relative to the template. */
  readonly file: string;
  /** Undefined in a file that is not as the author wrote it. */
  readonly line: number | undefined;
  /** The block, such as `locals`; or empty. */
  readonly context: string;
  /** The line; or empty. */
  readonly code: string;
  /** What is known of the values in it, such as `var.a is "x"`. */
  readonly values: readonly string[];
}

export interface TerraformDiagnostic {
  readonly severity: "error" | "warning";
  readonly summary: string;
  readonly detail: string;
  /** The address of the resource or data source, or empty. */
  readonly address: string;
  readonly place: DiagnosticPlace | undefined;
  /** The number of bytes before the place in its file. */
  readonly byte: number;
}

/**
 * Reads a diagnostic of a command with `-json`.
 *
 * @see https://developer.hashicorp.com/terraform/internals/machine-readable-ui#diagnostic
 */
export function diagnosticOf(value: unknown): TerraformDiagnostic | undefined {
  const { severity, summary, detail, address, range, snippet } = objectOf(value);
  if (summary === undefined) return undefined;
  const { filename, start } = objectOf(range);
  const { line, byte } = objectOf(start);
  const { context, code, values } = objectOf(snippet);
  const file = stringOf(filename);
  return {
    severity: severity === "warning" ? "warning" : "error",
    summary: stringOf(summary),
    // The options of our commands.
    detail: stringOf(detail).replace(
      "Use a -var or -var-file command line argument",
      "Use --var or --var-file",
    ),
    address: stringOf(address),
    byte: Number(byte ?? 0),
    place:
      file === ""
        ? undefined
        : {
            file,
            line: Number(line),
            context: stringOf(context),
            code: stringOf(code).split("\n")[0] ?? "",
            values: listOf(values).map((each) => {
              const { traversal, statement } = objectOf(each);
              return `${stringOf(traversal)} ${stringOf(statement)}`;
            }),
          },
  };
}

export function diagnosticText(value: unknown): string | undefined {
  const diagnostic = diagnosticOf(value);
  if (diagnostic === undefined) return undefined;
  const { severity, summary, detail, address, place } = diagnostic;
  return [
    `${severity === "warning" ? "Warning" : "Error"}: ${summary}`,
    ...(address === "" ? [] : [`  with ${address}`]),
    ...placeLines(place).map((line) => `  ${line}`),
    ...(detail === "" ? [] : [detail]),
  ].join("\n");
}

/** Says where a problem is: file and line, the line itself, and the values in it. */
export function placeLines(place: DiagnosticPlace | undefined): readonly string[] {
  if (place === undefined) return [];
  const { file, line, context, code, values } = place;
  const where = `on ${file}${line === undefined ? "" : ` line ${line}`}`;
  return [
    `${where}${context === "" ? "" : `, in ${context}`}:`,
    ...(code === "" ? [] : [`  ${line === undefined ? "" : `${line}: `}${code}`]),
    ...values.map((each) => `    ${each}`),
  ];
}
