import { isJsonObject, type JsonValue } from "../../../json/plain-json";
import type { TrustMaterial } from "../../sigstore/trust/trusted-root";
import type { PolicyProgram } from "../engine/run-engine";
import { ImageGlob } from "../image-glob";
import type { Authority, ImagePolicy } from "../policy";
import {
  formatProblem,
  metadataFields,
  PolicyFields,
  type PolicyProblem,
  quote,
  type Report,
} from "./policy-fields";
import { authorityFields, inputFields, readAuthority, readProgram } from "./read-authority";
import { isTrustRoot, readTrustRoot, type TrustRoots } from "./read-trust-root";
import { readYamlDocuments } from "./yaml-documents";

type ParsedPolicies =
  | {
      readonly policies: readonly ImagePolicy[];
      /** Messages about valid parts that may not mean what the author intended. */
      readonly warnings: readonly string[];
    }
  | { readonly problems: readonly PolicyProblem[] };

/**
 * Parses policies in YAML or JSON. Several documents are separated by lines with `---`.
 *
 * Everything that is unknown or cannot be evaluated is a problem, and nothing is ignored. Reports all
 * problems at once.
 */
export function parsePolicies(text: string): ParsedPolicies {
  if (/^\s*[^\s:{}]*\.(?:ya?ml|json)\s*$/i.test(text.slice(0, 1_000))) {
    return { problems: [whole(pathProblem)] };
  }
  const documents = readYamlDocuments(text);
  if ("problem" in documents) return { problems: [whole(documents.problem, documents.line)] };
  const policies: ImagePolicy[] = [];
  const problems: PolicyProblem[] = [];
  const warnings: string[] = [];
  const resources = documents.flatMap((found, index) => {
    const document = index + 1;
    const report: Report = (path, problem) => {
      if (problems.length > maxProblems) return;
      const line = "lines" in found ? found.lines.lineOf(found.value, path) : found.line;
      problems.push({ document, path, problem, line });
    };
    const advise: Report = (path, problem) => {
      warnings.push(formatProblem({ document, path, problem }));
    };
    if (!("problem" in found)) return resourcesOf(found.value, report, advise);
    report("", found.problem);
    return [];
  });
  const trustRoots = new Map<string, TrustMaterial | undefined>();
  for (const { value, report } of resources) {
    const root = isTrustRoot(value) ? readTrustRoot(value, report) : undefined;
    if (root === undefined) continue;
    if (trustRoots.has(root.name)) report("metadata.name", "is also the name of another TrustRoot");
    trustRoots.set(root.name, root.trust);
  }
  for (const { value, report, advise } of resources) {
    if (isTrustRoot(value)) continue;
    const policy = readPolicy(value, report, { advise, trustRoots });
    if (policy !== undefined) policies.push(policy);
  }
  problems.sort((a, b) => a.document - b.document);
  if (problems.length > maxProblems) {
    problems[maxProblems] = whole(`has more problems: only the first ${maxProblems} are listed`);
  }
  if (problems.length === 0 && policies.length === 0) {
    problems.push(whole("is empty: it must contain a ClusterImagePolicy"));
  }
  return problems.length === 0 ? { policies, warnings } : { problems };
}

/** A policy or a TrustRoot, and where its problems are reported. */
interface Resource {
  readonly value: JsonValue;
  readonly report: Report;
  readonly advise: Report;
}

/** The resource of a document, or those of a list, as `kubectl get` writes it. */
function resourcesOf(value: JsonValue, report: Report, advise: Report): readonly Resource[] {
  if (value === null) return [];
  if (!isJsonObject(value) || value["kind"] !== "List" || value["apiVersion"] !== "v1") {
    return [{ value, report, advise }];
  }
  PolicyFields.of(value, "", report, ["apiVersion", "kind", "metadata", "items"]);
  const items = value["items"];
  if (!Array.isArray(items)) {
    report("items", "must be a list");
    return [];
  }
  const within = (to: Report, index: number): Report => {
    const item = `items[${index}]`;
    return (path, problem) => {
      to(path === "" ? item : `${item}.${path}`, problem);
    };
  };
  return (items as readonly JsonValue[]).map((item, index) => ({
    value: item,
    report: within(report, index),
    advise: within(advise, index),
  }));
}

/** Lists all problems of policies, as messages. */
export function policyProblems(text: string): readonly string[] {
  const parsed = parsePolicies(text);
  return "problems" in parsed ? parsed.problems.map(formatProblem) : [];
}

// Nobody reads more, and each takes time to explain.
const maxProblems = 50;

const pathProblem =
  'is the path of a file: pass the file\'s content, in TypeScript with readFileSync(path, "utf8"), in HCL with file(path)';

function whole(problem: string, line?: number): PolicyProblem {
  return { document: 0, path: "", problem, line };
}

const apiVersions = ["policy.sigstore.dev/v1beta1", "policy.sigstore.dev/v1alpha1"];

/**
 * Reads one document. A Secret in the namespace of the policies is accepted and ignored.
 *
 * @returns undefined if a problem was reported, or for a Secret
 */
function readPolicy(
  document: JsonValue,
  report: Report,
  { advise, trustRoots }: { readonly advise: Report; readonly trustRoots: TrustRoots },
): ImagePolicy | undefined {
  if (!isJsonObject(document)) {
    report("", "must be an object");
    return undefined;
  }
  const { apiVersion, kind } = document;
  if (apiVersion === "v1" && kind === "Secret") {
    checkSecret(document, report);
    return undefined;
  }
  if (kind !== "ClusterImagePolicy" || !apiVersions.some((known) => known === apiVersion)) {
    const got = `${describe(apiVersion)}, kind ${describe(kind)}`;
    report("", `must be a ClusterImagePolicy of ${apiVersions.join(" or ")} (got ${got})`);
    return undefined;
  }
  const known = ["apiVersion", "kind", "metadata", "spec", "status"];
  const fields = PolicyFields.of(document, "", report, known);
  const { name, missing } = fields === undefined ? {} : readMetadata(fields);
  if (fields?.has("spec") === false) fields.refuse("spec", "is missing");
  const specFields = ["images", "authorities", "policy", "mode", "match"];
  const spec = fields?.fields("spec", specFields);
  if (spec === undefined) return undefined;
  const images = readImages(spec, advise);
  const authorities = spec
    .list("authorities", authorityFields)
    .flatMap((each, index) => readAuthority(each, index, { advise, missing, trustRoots }) ?? []);
  if (spec.sizeOf("authorities") === 0) {
    spec.refuse("authorities", "is missing: at least one authority is required");
  }
  const program = readProgram(spec, missing, inputFields);
  const readsConfiguration = spec.anyFields("policy")?.boolean("fetchConfigFile") === true;
  if (program !== undefined) refuseSameNames(spec, authorities);
  const mode = spec.oneOf("mode", ["enforce", "warn"]) ?? "enforce";
  checkMatch(spec);
  return name === undefined
    ? undefined
    : { name, images, authorities, mode, ...(program && { program, readsConfiguration }) };
}

/** A program reads the results by the names of the authorities, so one would hide the other. */
function refuseSameNames(spec: PolicyFields, authorities: readonly Authority[]): void {
  const names = authorities.map(({ name }) => name);
  for (const name of new Set(names.filter((each, index) => names.indexOf(each) < index))) {
    spec.refuse(
      "authorities",
      `has several authorities with the name ${quote(name)}, but policy distinguishes them by their names: rename one`,
    );
  }
}

/** Chooses what policies in CUE do with fields that only they have. */
const missingAnnotation = "trivet.local/missing-fields";

function readMetadata(fields: PolicyFields): {
  readonly name?: string | undefined;
  readonly missing?: PolicyProgram["missing"];
} {
  if (!fields.has("metadata")) fields.refuse("metadata.name", "is missing");
  const metadata = fields.fields("metadata", metadataFields);
  const annotations = metadata?.anyFields("annotations");
  for (const unknown of annotations?.names() ?? []) {
    if (!unknown.startsWith("trivet.local/") || unknown === missingAnnotation) continue;
    annotations?.refuse(unknown, `is not a known annotation (known: ${missingAnnotation})`);
  }
  return {
    name: metadata?.requiredString("name"),
    missing: annotations?.oneOf(missingAnnotation, ["refused", "allowed"]),
  };
}

function readImages(spec: PolicyFields, advise: Report): readonly ImageGlob[] {
  if (spec.sizeOf("images") === 0) {
    spec.refuse("images", "is missing: at least one pattern for images is required");
  }
  return spec.list("images", ["glob"]).flatMap((image) => {
    const pattern = image.requiredString("glob");
    if (pattern === undefined) return [];
    const glob = ImageGlob.parse(pattern);
    if ("problem" in glob) {
      image.refuse("glob", `${glob.problem} (got ${quote(pattern)})`);
      return [];
    }
    if (glob.advice !== undefined) advise(image.at("glob"), glob.advice);
    return [glob];
  });
}

/** What the controller watches, and accepts in `match`. */
const resources = "pods replicasets deployments statefulsets daemonsets jobs cronjobs".split(" ");

/** `match` selects resources of a cluster. Without a cluster, the policy applies to all matching images. */
function checkMatch(spec: PolicyFields): void {
  for (const each of spec.list("match", ["group", "version", "resource", "selector"])) {
    each.fields("selector", ["matchLabels", "matchExpressions"]);
    each.oneOf("resource", resources);
    if (!each.has("selector") || ["group", "version", "resource"].some((name) => each.has(name))) {
      continue;
    }
    each.refuse("resource", "is missing: as in a cluster, a selector needs a resource");
  }
}

function checkSecret(document: JsonValue, report: Report): void {
  const known = ["apiVersion", "kind", "metadata", "data", "stringData", "type", "immutable"];
  const metadata = PolicyFields.of(document, "", report, known)?.fields("metadata", metadataFields);
  if (metadata?.string("namespace") !== "cosign-system") {
    report("metadata.namespace", "must be cosign-system: other Secrets have no meaning here");
  }
}

function describe(value: JsonValue | undefined): string {
  if (value === undefined) return "none";
  return typeof value === "string" ? quote(value) : "not a string";
}
