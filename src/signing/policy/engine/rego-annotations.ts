import { isJsonObject, type JsonValue } from "../../../json/json-value";
import { opaOutput } from "./opa-output";
import { regoPolicyFile } from "./evaluate-rego";
import type { EngineRun } from "./run-engine";

/** How opa lists the annotations of a policy. It follows nothing that they name. */
export const annotationArguments: readonly string[] = [
  "inspect",
  "--v0-compatible",
  "--annotations",
  "--format",
  "json",
  regoPolicyFile,
];

/** Whether a policy may have annotations, which begin with this word in a comment. */
export const mayHaveAnnotations = (data: string): boolean => data.includes("METADATA");

/**
 * Why the annotations of a policy are refused; undefined if they are not. Opa checks the types of a policy
 * with JSON schemas in annotations, and loads what their `$ref` names from files.
 */
export function annotationProblem(run: EngineRun): string | undefined {
  const listed = opaOutput(run);
  if ("problem" in listed) return `cannot be evaluated: ${listed.problem}`;
  const { annotations = [] } = listed.value;
  const entries = Array.isArray(annotations)
    ? (annotations as readonly JsonValue[])
    : [annotations];
  for (const entry of entries) {
    const found = isJsonObject(entry) ? entry["annotations"] : undefined;
    if (!isJsonObject(found)) return "cannot be evaluated: opa does not list its annotations";
    if (found["schemas"] !== undefined) {
      return "has schemas in an annotation, which can name files: remove them";
    }
  }
  return undefined;
}
