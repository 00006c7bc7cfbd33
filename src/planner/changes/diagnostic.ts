import { type ConstructOf, type Place, placeText } from "./construct-place";
import { type Acknowledged, readDetail, type Remark } from "../../core/schema";
import { printable } from "../../core/redaction/printable";

/** An error or a warning of Terraform or of a provider. */
export interface Diagnostic extends Place, Pick<Remark, "code" | "correction"> {
  readonly severity: "error" | "warning";
  readonly summary: string;
  readonly detail: string;
  readonly acknowledged?: Acknowledged;
  readonly address?: string;
  readonly attribute?: string;
}

/** Separates the code and the correction that the providers of this package add to a detail. */
export function detailOf(text: string): Pick<Diagnostic, "detail" | "code" | "correction"> {
  const { message: detail, property: _, ...data } = readDetail(text);
  return { detail, ...data };
}

/** Returns the heading of a finding, such as `Warning [endpoint-without-network]`. */
export function headingOf(word: string, { code, acknowledged }: Partial<Diagnostic>): string {
  const shown = acknowledged === undefined ? word : `Acknowledged ${word.toLowerCase()}`;
  return code === undefined ? shown : `${shown} [${code}]`;
}

/** Returns the line with the reason of an acknowledgement; empty without one. */
export const becauseOf = (acknowledged: Acknowledged | undefined): string =>
  acknowledged === undefined
    ? ""
    : `\n    acknowledged at ${acknowledged.path || "the app"}: ${acknowledged.reason}`;

/** Formats a diagnostic for people, without the line of the configuration, which can contain a secret. */
export function diagnosticText(diagnostic: Diagnostic, constructOf: ConstructOf): string {
  const { severity, summary, detail, address, attribute, acknowledged } = diagnostic;
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
  const heading = headingOf(severity === "error" ? "Error" : "Warning", diagnostic);
  return printable(`${heading}: ${summary}${shown.join("")}${becauseOf(acknowledged)}`);
}
