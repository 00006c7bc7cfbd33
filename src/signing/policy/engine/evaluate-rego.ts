import { serverMessage } from "../../../http/server-message";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../json/json-value";
import { JsonError } from "../../../json/json-error";
import { parseJson } from "../../../json/parse-json";
import { refuses, type ProgramAnswer } from "./program";
import type { EngineRun } from "./run-engine";

/** The files that `opa` reads, and how it is called. Policies are in the syntax of Rego before version 1. */
export const regoPolicyFile = "policy.rego";
export const capabilitiesFile = "capabilities.json";
export const capabilitiesArguments: readonly string[] = ["capabilities", "--current"];
export const regoArguments: readonly string[] = [
  "eval",
  ...["--v0-compatible", "--format", "json", "--strict-builtin-errors", "--stdin-input"],
  ...["--timeout", "10s", "--capabilities", capabilitiesFile, "--data", regoPolicyFile],
  "data.sigstore.isCompliant",
];

/** Functions that reach the network or the environment, or whose result differs from run to run. */
const unsafe = new Set(["http.send", "net.lookup_ip_addr", "opa.runtime"]);
// A policy may limit the age of an attestation.
const allowed = "time.now_ns";

/**
 * The capabilities of `opa` without unsafe functions, and without hosts that functions may reach.
 *
 * @returns undefined if these are not capabilities
 * @see https://www.openpolicyagent.org/docs/latest/deployments/#capabilities
 */
export function restrictedCapabilities(run: EngineRun): string | undefined {
  const read = "problem" in run || run.code !== 0 ? undefined : parsed(run.output);
  if (!isJsonObject(read) || !Array.isArray(read["builtins"])) return undefined;
  const builtins = (read["builtins"] as readonly JsonValue[]).filter((each) => {
    if (!isJsonObject(each) || typeof each["name"] !== "string") return false;
    return (
      each["name"] === allowed || (each["nondeterministic"] !== true && !unsafe.has(each["name"]))
    );
  });
  return JSON.stringify({ ...read, builtins, allow_net: [] });
}

/**
 * The answer of a policy: `isCompliant` of the package `sigstore` is a boolean, or an object with `result`
 * and perhaps `error` and `warning`, or a set of such objects, of which all must have the result true. As in
 * the cluster, an `error` says why the result is false, and means nothing if it is true.
 *
 * @see https://docs.sigstore.dev/policy-controller/overview/#configuring-policy-at-the-attestation-level
 */
export function regoAnswer(run: EngineRun): ProgramAnswer {
  if ("problem" in run) return refuses(`cannot be evaluated: opa ${run.problem}`);
  const output = parsed(run.output);
  if (run.code !== 0 || run.errors.trim() !== "" || !isJsonObject(output)) {
    return refuses(`cannot be evaluated: ${explain(run, output)}`);
  }
  const value = valueOf(output);
  if (value === undefined) {
    return refuses("has no result: isCompliant of the package sigstore is not defined");
  }
  if (value === true) return { isCompliant: true };
  if (value === false) return refuses("is not satisfied: isCompliant is false");
  if (isJsonObject(value)) return responseOf(value);
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
  refuses("must give true, false, or an object with result, error and warning as isCompliant");

/** The single value of the single result. */
function valueOf(output: JsonObject): JsonValue | undefined {
  const [result, ...others] = listIn(output, "result");
  const [expression, ...more] = result === undefined ? [] : listIn(result, "expressions");
  if (others.length > 0 || more.length > 0 || !isJsonObject(expression)) return undefined;
  return expression["value"];
}

function listIn(value: JsonValue, name: string): readonly JsonValue[] {
  const list = isJsonObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? (list as readonly JsonValue[]) : [];
}

function explain(
  { errors, output, code }: Extract<EngineRun, { readonly code: number }>,
  read: JsonValue | undefined,
): string {
  const messages = listIn(read ?? null, "errors").flatMap((each) =>
    isJsonObject(each) && typeof each["message"] === "string" ? [each["message"]] : [],
  );
  const said = messages.length > 0 ? messages.join("; ") : errors.trim() || output;
  return serverMessage(said) || `opa ended with ${code}`;
}

function parsed(output: string): JsonValue | undefined {
  try {
    return parseJson(Buffer.from(output));
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
