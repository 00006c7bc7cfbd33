import { serverMessage } from "../../http/server-message";
import type { Digest } from "../oci/reference/digest";
import { formatRepository, isLayout } from "../oci/reference/repository";
import {
  cannotEvaluate,
  type PolicyProgram,
  type ProgramAnswer,
  refuses,
  undecided,
} from "./engine/program";
import { evaluateAuthority, problemOf } from "./evaluate-authority";
import type { ImagePolicy } from "./policy";
import type { PolicyImage } from "./image-glob";
import type { AttachmentPlace, PolicyEvidence } from "./policy-evidence";
import type {
  AuthorityOutcome,
  PolicyOutcome,
  PolicyVerdict,
  RequirementOutcome,
} from "./policy-verdict";
import { resultsOf } from "./policy-results";

export type { PolicyImage } from "./image-glob";
export type { AttachmentPlace, Candidate, PolicyEvidence } from "./policy-evidence";

/** The policies, the image, and the means to read its signatures and attestations. */
export interface PolicyInput<S, A> extends PolicyEvidence<S, A> {
  readonly policies: readonly ImagePolicy[];
  readonly image: PolicyImage & { readonly digest: Digest };
}

/**
 * Evaluates policies for an image. At least one policy must apply to the image, and all that apply must
 * accept it.
 *
 * A policy accepts the image if one of its authorities does; they are evaluated in order. An error while
 * reading evidence counts against the authority that needed it, unless the error has no code (then it is a
 * bug) or the call ended (`DEADLINE`, `CANCELLED`): these are thrown.
 *
 * @see https://docs.sigstore.dev/policy-controller/overview/
 */
export async function evaluatePolicies<S, A>({
  policies,
  image,
  ...evidence
}: PolicyInput<S, A>): Promise<PolicyVerdict> {
  const applying = policiesFor(image, policies);
  if (applying.length === 0) return uncovered(image, policies);
  const fullName = nameOf(image);
  const once = readOnce(evidence);
  const outcomes: PolicyOutcome[] = [];
  for (const policy of applying) outcomes.push(await evaluatePolicy(policy, image.digest, once));
  const failuresIn = (mode: ImagePolicy["mode"]): readonly string[] =>
    outcomes
      .filter((outcome) => !outcome.isSatisfied && outcome.mode === mode)
      .map((outcome) => explainPolicy(fullName, outcome));
  const refusals = failuresIn("enforce");
  const advice = outcomes.flatMap(adviceOf);
  const details = { policies: outcomes, warnings: failuresIn("warn"), advice };
  if (refusals.length === 0) return { isAccepted: true, ...details };
  const isRefused = outcomes.some((each) => each.mode === "enforce" && isRefusal(each));
  const code = isRefused ? "REFUSED" : "NOT_KNOWN";
  return { isAccepted: false, code, message: refusals.join("\n"), ...details };
}

/** The policies that apply to an image. If its digest is not known yet, those that may apply. */
export function policiesFor(
  image: PolicyImage,
  policies: readonly ImagePolicy[],
): readonly ImagePolicy[] {
  return policies.filter(({ images }) => images.some((glob) => glob.appliesTo(image)));
}

/** The verdict about an image to which no policy applies. */
export function uncovered(image: PolicyImage, policies: readonly ImagePolicy[]): PolicyVerdict {
  const nothing = { policies: [], warnings: [], advice: [] };
  const hint = isLayout(image.repository)
    ? ". An image in a layout has no such name: pass the name under which it is or will be in a registry, as name or with --name"
    : "";
  const message = explainUncovered(nameOf(image), policies) + hint;
  return { isAccepted: false, code: "NOT_COVERED", message, ...nothing };
}

const nameOf = ({ repository, digest, given }: PolicyImage): string =>
  digest === undefined ? given : `${formatRepository(repository)}@${digest}`;

async function evaluatePolicy<S, A>(
  policy: ImagePolicy,
  digest: Digest,
  evidence: PolicyEvidence<S, A>,
): Promise<PolicyOutcome> {
  const { name, mode, authorities, program } = policy;
  const outcomes: AuthorityOutcome[] = [];
  for (const authority of authorities) {
    const outcome = await evaluateAuthority(authority, digest, evidence);
    outcomes.push(outcome);
    if (!outcome.isSatisfied || program !== undefined) continue;
    return { policy: name, mode, isSatisfied: true, authorities: outcomes };
  }
  const outcome = { policy: name, mode, isSatisfied: false, authorities: outcomes };
  if (program === undefined || !outcomes.some(({ isSatisfied }) => isSatisfied)) return outcome;
  const answer = await answerOf(program, policy, { outcomes, evidence });
  const { isCompliant: isSatisfied, warning } = answer;
  if (answer.isCompliant) return { ...outcome, isSatisfied, warning };
  const { problem, isUndecided } = answer;
  return { ...outcome, isSatisfied, warning, problem, isUndecided };
}

/** True if the policy would not accept the image either if everything had been obtained. */
function isRefusal({ isSatisfied, isUndecided = false, authorities }: PolicyOutcome): boolean {
  return !isSatisfied && !isUndecided && !authorities.some(mayAccept);
}

function mayAccept({ isSatisfied, code, requirements }: AuthorityOutcome): boolean {
  if (isSatisfied || code !== undefined) return code === "NOT_READ";
  const unmet = requirements.filter(({ verified }) => verified.length === 0);
  return unmet.every(({ rejected }) => rejected.some(({ isUndecided = false }) => isUndecided));
}

/** What the program of a policy says about the results of the authorities. */
async function answerOf<S, A>(
  program: PolicyProgram,
  { readsConfiguration = false }: ImagePolicy,
  found: {
    readonly outcomes: readonly AuthorityOutcome[];
    readonly evidence: PolicyEvidence<S, A>;
  },
): Promise<ProgramAnswer> {
  const { evaluate = cannotEvaluate, configurations } = found.evidence;
  const results = resultsOf(found.outcomes);
  if (!readsConfiguration) return evaluate(program, JSON.stringify(results));
  if (configurations === undefined) return refuses("needs the image's configuration");
  try {
    const config = await configurations();
    return await evaluate(program, JSON.stringify({ ...results, config }));
  } catch (error) {
    return undecided(problemOf(error));
  }
}

/** Lists the warnings of the programs of a policy. */
function adviceOf({ policy, warning, authorities }: PolicyOutcome): readonly string[] {
  const ofAttestations = authorities.flatMap(({ requirements }) =>
    requirements.flatMap(({ warnings = [] }) => warnings),
  );
  return [...ofAttestations, ...(warning === undefined ? [] : [warning])].map(
    (each) => `The policy "${policy}" warns: ${serverMessage(each)}`,
  );
}

function explainUncovered(fullName: string, policies: readonly ImagePolicy[]): string {
  const known = policies.map(
    ({ name, images }) => `${name} (${images.map(({ source }) => source).join(", ")})`,
  );
  return `No policy applies to ${fullName}, so it is refused. Patterns of the policies: ${known.join("; ")}`;
}

function readOnce<S, A>(evidence: PolicyEvidence<S, A>): PolicyEvidence<S, A> {
  return {
    ...evidence,
    trust: once(evidence.trust),
    publicKey: evidence.publicKey && remember(evidence.publicKey),
    signatures: remember(evidence.signatures),
    attestations: remember(evidence.attestations),
    unchecked: evidence.unchecked && remember(evidence.unchecked),
    configurations: evidence.configurations && once(evidence.configurations),
  };
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= read());
}

function remember<K extends AttachmentPlace | string, T>(
  read: (of: K) => Promise<T>,
): (of: K) => Promise<T> {
  const results = new Map<string, Promise<T>>();
  return (of) => {
    const name = JSON.stringify(of);
    const known = results.get(name) ?? read(of);
    results.set(name, known);
    return known;
  };
}

// A message lists only the first ones; the outcome contains all.
const maxListed = 8;

/** Explains why a policy does not accept the image: one line for it, and one for each failed requirement. */
function explainPolicy(image: string, { policy, authorities, problem }: PolicyOutcome): string {
  if (problem !== undefined) {
    return `The policy "${policy}" does not accept ${image}: its policy over the results of the authorities ${serverMessage(problem)}.`;
  }
  const count = authorities.length;
  const failing = count === 1 ? "its authority fails" : `all of its ${count} authorities fail`;
  const head = `The policy "${policy}" does not accept ${image}: ${failing}.`;
  return [head, ...authorities.flatMap(explainAuthority)].join("\n");
}

function explainAuthority(outcome: AuthorityOutcome): readonly string[] {
  const { authority, problem, requirements } = outcome;
  const missing = requirements.filter(({ verified }) => verified.length === 0);
  if (problem !== undefined) return [`- authority "${authority}": ${serverMessage(problem)}`];
  return missing.map((each) => `- authority "${authority}": ${explainRequirement(each)}`);
}

function explainRequirement({ required, rejected }: RequirementOutcome): string {
  if (rejected.length === 0) return `looked for ${required}, found none`;
  const listed = rejected
    .slice(0, maxListed)
    .map(({ label, code, problem }) => `${label}: ${serverMessage(problem)} (${code})`);
  const more = rejected.length - listed.length;
  const rest = more > 0 ? `; and ${more} more` : "";
  return `looked for ${required}, found ${rejected.length} that ${rejected.length === 1 ? "does" : "do"} not match: ${listed.join("; ")}${rest}`;
}
