import { serverWords } from "../../http/server-words";
import type { AuthorityOutcome, PolicyOutcome, RequirementOutcome } from "./policy-verdict";

/** What a message lists of what was found; all of it stands in the outcome. */
const maxListed = 8;

/** Why a policy does not hold: a line for it, and one for each authority and requirement. */
export function explainPolicy(image: string, { policy, authorities }: PolicyOutcome): string {
  const head = `The policy "${policy}" does not hold for ${image}: ${count(authorities.length)}`;
  return [head, ...authorities.flatMap(explainAuthority)].join("\n");
}

function count(authorities: number): string {
  return authorities === 1 ? "its authority fails." : `all of its ${authorities} authorities fail.`;
}

function explainAuthority(outcome: AuthorityOutcome): readonly string[] {
  const { authority, problem, requirements } = outcome;
  const missing = requirements.filter(({ verified }) => verified.length === 0);
  if (problem !== undefined) return [`- authority "${authority}": ${serverWords(problem)}`];
  return missing.map((each) => `- authority "${authority}": ${explainRequirement(each)}`);
}

function explainRequirement({ wanted, rejected }: RequirementOutcome): string {
  if (rejected.length === 0) return `looked for ${wanted}, found none at all`;
  const listed = rejected
    .slice(0, maxListed)
    .map(({ label, problem }) => `${label}: ${serverWords(problem)}`);
  const more = rejected.length - listed.length;
  const rest = more > 0 ? `; and ${more} more` : "";
  return `looked for ${wanted}, found ${rejected.length} that ${rejected.length === 1 ? "is" : "are"} not: ${listed.join("; ")}${rest}`;
}
