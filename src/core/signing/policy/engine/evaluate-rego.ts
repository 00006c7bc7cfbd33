import { serverMessage } from "../../../http/server-message";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../json/plain-json";
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
 * and perhaps `error` and `warning`, of which all must have the result true. As in the cluster, an `error` explains why
 * the result is false, and is ignored if it is true. A single object is never accepted there.
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
    "must define isCompliant as true, false, or a set of objects with result, error and warning: write isCompliant[response] { … }",
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

/** Makes opa list the annotations of a policy. It does not load what they refer to. */
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
 * with JSON schemas in annotations, and loads files to which their `$ref` refers.
 */
export function annotationProblem(run: EngineRun): string | undefined {
  const listed = opaOutput(run);
  if ("problem" in listed) return `cannot be evaluated: ${listed.problem}`;
  const { annotations = [] } = listed.value;
  for (const entry of [annotations].flat()) {
    const found = isJsonObject(entry) ? entry["annotations"] : undefined;
    if (!isJsonObject(found)) return "cannot be evaluated: opa does not list its annotations";
    if (found["schemas"] !== undefined) {
      return "has schemas in an annotation, which can refer to files: remove them";
    }
  }
  return undefined;
}

/** Reads the JSON object that opa printed. */
function opaOutput(run: EngineRun): { readonly value: JsonObject } | { readonly problem: string } {
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
function listIn(value: JsonValue | undefined, name: string): readonly JsonValue[] {
  const list = isJsonObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? (list as readonly JsonValue[]) : [];
}

const named = (names: string): readonly string[] => names.trim().split(/\s+/);

/**
 * The functions of opa that policies can call. They compute their result from their arguments, or read the
 * clock, because a policy may limit the age of an attestation. Opa's own mark for functions that do more is
 * not enough: before version 1.22, `json.match_schema` and `json.verify_schema` do not have it, and load the
 * target of a `$ref` from a server or a file.
 *
 * @see https://www.openpolicyagent.org/docs/policy-reference/builtins
 */
const allowed: ReadonlySet<string> = new Set([
  // Operators, and what syntax is compiled to.
  ...named(`
    and assign div eq equal gt gte internal.member_2 internal.member_3 internal.template_string lt lte minus mul
    neq or plus rem
  `),
  // Numbers, bits, comparison.
  ...named(`
    abs bits.and bits.lsh bits.negate bits.or bits.rsh bits.xor ceil floor format_int max min numbers.range
    numbers.range_step product round semver.compare semver.is_valid sum to_number units.parse units.parse_bytes
  `),
  // Arrays, sets, objects, graphs.
  ...named(`
    all any array.concat array.flatten array.reverse array.slice count graph.reachable graph.reachable_paths
    intersection json.filter json.patch json.remove object.filter object.get object.keys object.remove
    object.subset object.union object.union_n set_diff sort union walk
  `),
  // Strings and patterns.
  ...named(`
    concat contains endswith glob.match glob.quote_meta indexof indexof_n lower re_match
    regex.find_all_string_submatch_n regex.find_n regex.globs_match regex.is_valid regex.match regex.replace
    regex.split regex.template_match replace split sprintf startswith strings.any_prefix_match
    strings.any_suffix_match strings.count strings.render_template strings.replace_n strings.reverse
    strings.split_n substring trim trim_left trim_prefix trim_right trim_space trim_suffix upper
  `),
  // Types.
  ...named(`
    cast_array cast_boolean cast_null cast_object cast_set cast_string is_array is_boolean is_null is_number
    is_object is_set is_string type_name
  `),
  // Encodings and identifiers.
  ...named(`
    base64.decode base64.encode base64.is_valid base64url.decode base64url.encode base64url.encode_no_pad
    graphql.is_valid graphql.parse graphql.parse_and_verify graphql.parse_query graphql.parse_schema
    graphql.schema_is_valid hex.decode hex.encode json.is_valid json.marshal json.marshal_with_options
    json.unmarshal net.cidr_contains net.cidr_contains_matches net.cidr_expand net.cidr_intersects
    net.cidr_is_valid net.cidr_merge net.cidr_overlap uri.is_valid uri.parse urlquery.decode
    urlquery.decode_object urlquery.encode urlquery.encode_object uuid.parse yaml.is_valid yaml.marshal
    yaml.unmarshal
  `),
  // Hashes, certificates, tokens.
  ...named(`
    crypto.hmac.equal crypto.hmac.md5 crypto.hmac.sha1 crypto.hmac.sha256 crypto.hmac.sha512 crypto.md5
    crypto.parse_private_keys crypto.sha1 crypto.sha256 crypto.x509.parse_and_verify_certificates
    crypto.x509.parse_and_verify_certificates_with_options crypto.x509.parse_certificate_request
    crypto.x509.parse_certificates crypto.x509.parse_keypair crypto.x509.parse_rsa_private_key io.jwt.decode
    io.jwt.verify_eddsa io.jwt.verify_es256 io.jwt.verify_es384 io.jwt.verify_es512 io.jwt.verify_hs256
    io.jwt.verify_hs384 io.jwt.verify_hs512 io.jwt.verify_ps256 io.jwt.verify_ps384 io.jwt.verify_ps512
    io.jwt.verify_rs256 io.jwt.verify_rs384 io.jwt.verify_rs512
  `),
  // Time, and the policy itself.
  ...named(`
    rego.metadata.chain rego.metadata.rule time.add_date time.clock time.date time.diff time.format time.now_ns
    time.parse_duration_ns time.parse_ns time.parse_rfc3339_ns time.weekday trace
  `),
]);

/**
 * Reduces the capabilities of opa to its syntax and the allowed functions, without hosts that it may reach. With them,
 * opa does not compile a policy that calls anything else.
 *
 * @returns undefined if these are not capabilities
 * @see https://www.openpolicyagent.org/docs/deployments#capabilities
 */
export function restrictedCapabilities(run: EngineRun): string | undefined {
  const printed = opaOutput(run);
  if ("problem" in printed || !Array.isArray(printed.value["builtins"])) return undefined;
  const { features, future_keywords } = printed.value;
  const builtins = listIn(printed.value, "builtins").filter(
    (each) => isJsonObject(each) && typeof each["name"] === "string" && allowed.has(each["name"]),
  );
  return JSON.stringify({ builtins, features, future_keywords, allow_net: [] });
}
