import { isObject, type Properties } from "../../json/plain-json";
import { type Place, placeText } from "../app-process/positions";
import type { ConstructOf } from "../synthesis/stack-configuration";
import { printable } from "../../redaction/printable";

/** An error or a warning of Terraform or of a provider. */
export interface Diagnostic extends Place {
  readonly severity: "error" | "warning";
  readonly summary: string;
  readonly detail: string;
  readonly address?: string;
  readonly attribute?: string;
}

/** Reads a diagnostic as Terraform writes it with `-json`. */
export function readDiagnostic(value: unknown): Diagnostic {
  const diagnostic: Properties = isObject(value) ? value : {};
  const snippet: Properties = isObject(diagnostic["snippet"]) ? diagnostic["snippet"] : {};
  const attribute = attributeIn(snippet);
  const address =
    textOf(diagnostic["address"]) || textOf(snippet["context"]).replace(/^resource\./, "");
  return {
    severity: diagnostic["severity"] === "warning" ? "warning" : "error",
    summary: textOf(diagnostic["summary"]),
    detail: textOf(diagnostic["detail"]),
    ...(address !== "" && { address }),
    ...(attribute !== undefined && { attribute }),
  };
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

/** Returns the attribute whose value is marked in a line of a configuration in JSON. */
function attributeIn({ code, highlight_start_offset: start }: Properties): string | undefined {
  const before = typeof start === "number" ? textOf(code).slice(0, start) : "";
  return /"(\w+)":\s*$/.exec(before)?.[1];
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
