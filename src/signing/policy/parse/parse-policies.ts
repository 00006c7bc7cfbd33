import type { ImagePolicy } from "../policy";
import { formatProblem, type PolicyProblem } from "./policy-fields";
import { readPolicy } from "./read-policy";
import { readYamlDocuments } from "./yaml-documents";

export type ParsedPolicies =
  | {
      readonly policies: readonly ImagePolicy[];
      /** Sentences about what holds, but may not be what was meant. */
      readonly warnings: readonly string[];
    }
  | { readonly problems: readonly PolicyProblem[] };

/**
 * Reads the policies of a text: YAML or JSON, several documents divided by lines `---`.
 *
 * What is not understood, or could not be evaluated, is a problem, never passed over; all problems come
 * together.
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
    problems.push(whole("is empty: it must hold a ClusterImagePolicy"));
  }
  return problems.length === 0 ? { policies, warnings } : { problems };
}

function whole(problem: string): PolicyProblem {
  return { document: 0, path: "", problem };
}
