import { detailOf, type Diagnostic } from "../../planner/changes/diagnostic";
import { isObject, type Properties } from "../../core/json/plain-json";

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
    ...detailOf(textOf(diagnostic["detail"])),
    ...(address !== "" && { address }),
    ...(attribute !== undefined && { attribute }),
  };
}

/** Returns the attribute whose value is marked in a line of a configuration in JSON. */
function attributeIn({ code, highlight_start_offset: start }: Properties): string | undefined {
  const before = typeof start === "number" ? textOf(code).slice(0, start) : "";
  return /"(\w+)":\s*$/.exec(before)?.[1];
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
