import type { ImagePolicy } from "../policy";
import { formatProblem, type PolicyProblem } from "./policy-fields";
import { readPolicy } from "./read-policy";
import { readYamlDocuments } from "./yaml-documents";

/** The parsed policies, or everything that is wrong with them. */
export type ParsedPolicies =
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
  const documents = readYamlDocuments(text);
  if ("problem" in documents) return { problems: [whole(documents.problem)] };
  const policies: ImagePolicy[] = [];
  const problems: PolicyProblem[] = [];
  const warnings: string[] = [];
  for (const [index, found] of documents.entries()) {
    const document = index + 1;
    const report = (path: string, problem: string): void => {
      problems.push({ document, path, problem });
    };
    if ("problem" in found) {
      report("", found.problem);
    } else if (found.value !== null) {
      const policy = readPolicy(found.value, report, (path, problem) => {
        warnings.push(formatProblem({ document, path, problem }));
      });
      if (policy !== undefined) policies.push(policy);
    }
  }
  if (problems.length === 0 && policies.length === 0) {
    problems.push(whole("is empty: it must contain a ClusterImagePolicy"));
  }
  return problems.length === 0 ? { policies, warnings } : { problems };
}

function whole(problem: string): PolicyProblem {
  return { document: 0, path: "", problem };
}
