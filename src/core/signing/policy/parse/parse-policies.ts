import type { TrustMaterial } from "../../sigstore/trust/trusted-root";
import type { ImagePolicy } from "../policy";
import { isJsonObject, type JsonValue } from "../../../json/json-value";
import { formatProblem, PolicyFields, type PolicyProblem, type Report } from "./policy-fields";
import { readPolicy } from "./read-policy";
import { isTrustRoot, readTrustRoot } from "./read-trust-root";
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
    if (trustRoots.has(root.name)) report("metadata.name", "is that of another TrustRoot");
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

// More are not readable, and each takes time to explain.
const maxProblems = 50;

const pathProblem =
  'is the path of a file: pass the file\'s content, in TypeScript with readFileSync(path, "utf8"), in HCL with file(path)';

function whole(problem: string, line?: number): PolicyProblem {
  return { document: 0, path: "", problem, line };
}
