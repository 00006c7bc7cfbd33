import type { TrustMaterial } from "../../sigstore/trust/trust-material";
import type { ImagePolicy } from "../policy";
import { formatProblem, type PolicyProblem, type Report } from "./policy-fields";
import { readPolicy } from "./read-policy";
import { isTrustRoot, readTrustRoot } from "./read-trust-root";
import { readYamlDocuments } from "./yaml-documents";

/** The parsed policies, or all their problems. */
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
  const reportOf =
    (found: (typeof documents)[number], document: number): Report =>
    (path, problem) => {
      if (problems.length > maxProblems) return;
      const line = "lines" in found ? found.lines.lineOf(found.value, path) : found.line;
      problems.push({ document, path, problem, line });
    };
  const trustRoots = new Map<string, TrustMaterial>();
  for (const [index, found] of documents.entries()) {
    if ("problem" in found || !isTrustRoot(found.value)) continue;
    const report = reportOf(found, index + 1);
    const root = readTrustRoot(found.value, report);
    if (root === undefined) continue;
    if (trustRoots.has(root.name)) report("metadata.name", "is that of another TrustRoot");
    trustRoots.set(root.name, root.trust);
  }
  for (const [index, found] of documents.entries()) {
    const document = index + 1;
    const report = reportOf(found, document);
    if ("problem" in found) {
      report("", found.problem);
    } else if (found.value !== null && !isTrustRoot(found.value)) {
      const advise: Report = (path, problem) => {
        warnings.push(formatProblem({ document, path, problem }));
      };
      const policy = readPolicy(found.value, report, { advise, trustRoots });
      if (policy !== undefined) policies.push(policy);
    }
  }
  if (problems.length > maxProblems) {
    problems[maxProblems] = whole(`has more problems: only the first ${maxProblems} are listed`);
  }
  if (problems.length === 0 && policies.length === 0) {
    problems.push(whole("is empty: it must contain a ClusterImagePolicy"));
  }
  return problems.length === 0 ? { policies, warnings } : { problems };
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
