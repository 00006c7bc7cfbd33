import { type ConstructOf, type Place, placeText } from "./construct-place";
import { printable } from "../redaction/printable";

/** An error or a warning of Terraform or of a provider. */
export interface Diagnostic extends Place {
  readonly severity: "error" | "warning";
  readonly summary: string;
  readonly detail: string;
  readonly address?: string;
  readonly attribute?: string;
}

/**
 * Formats a diagnostic for people. The line of the configuration is left out, because it can contain a
 * secret.
 *
 * @param constructOf returns the construct of a resource
 */
export function diagnosticText(
  { severity, summary, detail, address, attribute }: Diagnostic,
  constructOf: ConstructOf,
): string {
  const { constructPath, ...where } = constructOf(address ?? "");
  const place = [
    `${address ?? ""}${constructPath === undefined ? "" : ` (${constructPath})`}`,
    attribute ?? "",
  ].filter((part) => part !== "");
  const lines = [
    ...(place.length === 0 ? [] : [place.join(": ")]),
    ...(where.position === undefined ? [] : [`at ${placeText(where)}`]),
    ...detail.trim().split("\n"),
  ];
  const shown = lines.filter((line) => line.trim() !== "").map((line) => `\n    ${line}`);
  return printable(`${severity === "error" ? "Error" : "Warning"}: ${summary}${shown.join("")}`);
}
