import { serverMessage } from "../../../http/server-message";
import { JsonError } from "../../../json/json-error";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../json/json-value";
import { parseJson } from "../../../json/parse-json";
import type { EngineRun } from "./run-engine";

/** The JSON object that opa printed, or why there is none. */
export function opaOutput(
  run: EngineRun,
): { readonly value: JsonObject } | { readonly problem: string } {
  if ("problem" in run) return { problem: `opa ${run.problem}` };
  const { code, output, errors } = run;
  const value = parsed(output);
  if (code === 0 && errors.trim() === "" && isJsonObject(value)) return { value };
  const messages = listIn(value, "errors").flatMap((each) =>
    isJsonObject(each) && typeof each["message"] === "string" ? [each["message"]] : [],
  );
  const said = messages.length > 0 ? messages.join("; ") : errors.trim() || output;
  return { problem: serverMessage(said) || `opa ended with ${code}` };
}

/** A member that is a list; empty if it is anything else. */
export function listIn(value: JsonValue | undefined, name: string): readonly JsonValue[] {
  const list = isJsonObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? (list as readonly JsonValue[]) : [];
}

function parsed(output: string): JsonValue | undefined {
  try {
    return parseJson(output);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
