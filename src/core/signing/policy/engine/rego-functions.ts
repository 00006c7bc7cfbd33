import { isJsonObject } from "../../../json/json-value";
import { listIn, opaOutput } from "./evaluate-rego";
import type { EngineRun } from "./run-engine";

const named = (names: string): readonly string[] => names.trim().split(/\s+/);

/**
 * The functions of opa that policies can call. They compute their result from their arguments, or read the
 * clock, because a policy may limit the age of an attestation. Opa's own mark for functions that do more is
 * not enough: before version 1.22, `json.match_schema` and `json.verify_schema` do not have it, and load what
 * a `$ref` names from a server or a file.
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
 * Reduces the capabilities of opa to its syntax and the allowed functions, without hosts that it may reach. With them, opa refuses a policy that calls anything else when it compiles it.
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
