import { serverMessage } from "../../../http/server-message";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../json/json-value";
import { type EngineRun, jsonIn, type ProgramAnswer, refuses, undecided } from "./run-engine";

/** The files that `opa` reads, and how it is called. Policies are in the syntax of Rego before version 1. */
export const regoPolicyFile = "policy.rego";
export const capabilitiesFile = "capabilities.json";
export const capabilitiesArguments: readonly string[] = ["capabilities", "--current"];
export const regoArguments: readonly string[] = [
  "eval",
  "--v0-compatible",
  "--format",
  "json",
  "--strict-builtin-errors",
  "--stdin-input",
  "--timeout",
  "10s",
  "--capabilities",
  capabilitiesFile,
  "--data",
  regoPolicyFile,
  "data.sigstore.isCompliant",
];

/**
 * Reads the answer of a policy: `isCompliant` of the package `sigstore` is a boolean, or a set of objects with `result`
 * and perhaps `error` and `warning`, of which all must have the result true. As in the cluster, an `error` says why
 * the result is false, and means nothing if it is true. A single object is never accepted there.
 *
 * @see https://docs.sigstore.dev/policy-controller/overview/#configuring-policy-at-the-attestation-level
 */
export function regoAnswer(run: EngineRun): ProgramAnswer {
  const printed = opaOutput(run);
  if ("problem" in printed) return undecided(hinted(printed.problem));
  const value = valueOf(printed.value);
  if (value === undefined) {
    return refuses("has no result: isCompliant of the package sigstore is not defined");
  }
  if (value === true) return { isCompliant: true };
  if (value === false) return refuses("is not satisfied: isCompliant is false");
  return Array.isArray(value) ? responsesOf(value) : unclear();
}

function responsesOf(values: readonly JsonValue[]): ProgramAnswer {
  if (values.length === 0) return refuses("is not satisfied: isCompliant is an empty set");
  const answers = values.map((each) => (isJsonObject(each) ? responseOf(each) : unclear()));
  const warnings = answers.flatMap(({ warning }) => warning ?? []);
  const warning = warnings.length === 0 ? undefined : serverMessage(warnings.join("; "));
  const refused = answers.find(({ isCompliant }) => !isCompliant);
  return { ...(refused ?? answers[0] ?? unclear()), warning };
}

function responseOf(response: JsonObject): ProgramAnswer {
  const { result, error, warning } = response;
  const texts = [error, warning].every((each) => each === undefined || typeof each === "string");
  const known = Object.keys(response).every((name) =>
    ["result", "error", "warning"].includes(name),
  );
  if (typeof result !== "boolean" || !texts || !known) return unclear();
  const warned = typeof warning === "string" && warning !== "" ? serverMessage(warning) : undefined;
  const failed = typeof error === "string" && error !== "" ? serverMessage(error) : undefined;
  if (result) return { isCompliant: true, warning: warned };
  const problem = `is not satisfied: ${failed ?? "the result is false"}`;
  return { isCompliant: false, problem, warning: warned };
}

const unclear = (): ProgramAnswer =>
  refuses(
    "must give true, false, or a set of objects with result, error and warning as isCompliant: write isCompliant[response] { … }",
  );

/** Adds which functions policies can call: opa has more. */
const hinted = (problem: string): string =>
  problem.includes("undefined function")
    ? `${problem} (a policy can call only functions that compute from their arguments, and time.now_ns)`
    : problem;

function valueOf(output: JsonObject): JsonValue | undefined {
  const [result, ...others] = listIn(output, "result");
  const [expression, ...more] = result === undefined ? [] : listIn(result, "expressions");
  if (others.length > 0 || more.length > 0 || !isJsonObject(expression)) return undefined;
  return expression["value"];
}

/** Makes opa list the annotations of a policy. It follows nothing that they name. */
export const annotationArguments: readonly string[] = [
  "inspect",
  "--v0-compatible",
  "--annotations",
  "--format",
  "json",
  regoPolicyFile,
];

/** True if a policy may have annotations, which begin with this word in a comment. */
export const mayHaveAnnotations = (data: string): boolean => data.includes("METADATA");

/**
 * Checks the annotations of a policy, and explains why they are refused. Opa checks the types of a policy
 * with JSON schemas in annotations, and loads what their `$ref` names from files.
 */
export function annotationProblem(run: EngineRun): string | undefined {
  const listed = opaOutput(run);
  if ("problem" in listed) return `cannot be evaluated: ${listed.problem}`;
  const { annotations = [] } = listed.value;
  for (const entry of [annotations].flat()) {
    const found = isJsonObject(entry) ? entry["annotations"] : undefined;
    if (!isJsonObject(found)) return "cannot be evaluated: opa does not list its annotations";
    if (found["schemas"] !== undefined) {
      return "has schemas in an annotation, which can name files: remove them";
    }
  }
  return undefined;
}

/** Reads the JSON object that opa printed. */
export function opaOutput(
  run: EngineRun,
): { readonly value: JsonObject } | { readonly problem: string } {
  if ("problem" in run) return { problem: `opa ${run.problem}` };
  const { code, output, errors } = run;
  const value = jsonIn(output);
  if (code === 0 && errors.trim() === "" && isJsonObject(value)) return { value };
  const messages = listIn(value, "errors").flatMap((each) =>
    isJsonObject(each) && typeof each["message"] === "string" ? [each["message"]] : [],
  );
  const said = messages.length > 0 ? messages.join("; ") : errors.trim() || output;
  return { problem: serverMessage(said) || `opa ended with ${code}` };
}

/** Reads a member that is a list; empty if it is anything else. */
export function listIn(value: JsonValue | undefined, name: string): readonly JsonValue[] {
  const list = isJsonObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? (list as readonly JsonValue[]) : [];
}
