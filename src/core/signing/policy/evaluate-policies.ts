import { serverMessage } from "../../http/server-message";
import type { Digest } from "../oci/reference/descriptor";
import { formatRepository, isLayout } from "../oci/reference/image-name";
import {
  cannotEvaluate,
  type PolicyProgram,
  type ProgramAnswer,
  refuses,
  undecided,
} from "./engine/run-engine";
import { type AuthorityOutcome, evaluateAuthority, problemOf } from "./evaluate-authority";
import type { PolicyImage } from "./image-glob";
import type { ImageVerdict, PolicyReport } from "./image-verdict";
import type { ImagePolicy } from "./policy";
import { type PolicyEvidence, readOnce } from "./policy-evidence";
import { verdictText } from "./verdict-text";

/** The policies, the image, and the means to read its signatures and attestations. */
export interface PolicyInput extends PolicyEvidence {
  readonly policies: readonly ImagePolicy[];
  readonly image: PolicyImage & { readonly digest: Digest };
  /** The name of the image for policies. @default its own */
  readonly name?: Pick<PolicyImage, "repository" | "given"> | undefined;
  readonly platform?: string | undefined;
  /** What may not mean what the author of the policies intended. @default nothing */
  readonly advice?: readonly string[] | undefined;
  /** The verdicts about the images of an index, all of which must be accepted, too. @default none */
  readonly images?: readonly ImageVerdict[] | undefined;
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
export async function evaluatePolicies(input: PolicyInput): Promise<ImageVerdict> {
  const { policies, image, name, platform, advice = [], images = [] } = input;
  const known = { ...image, ...name };
  const place = `${formatRepository(image.repository)}@${image.digest}`;
  const applying = policiesFor(known, policies);
  if (applying.length === 0) return uncovered(place, known, policies, advice);
  const evidence = readOnce(input);
  const outcomes: PolicyOutcome[] = [];
  for (const policy of applying) {
    outcomes.push(await evaluatePolicy(policy, image.digest, evidence));
  }
  const code = codeOf(outcomes, images);
  const unread = input.unread?.() ?? [];
  return withText({
    image: place,
    ...(platform !== undefined && { platform: serverMessage(platform) }),
    accepted: code === "ACCEPTED",
    code,
    policies: outcomes.map(({ report }) => report),
    notes: [
      ...advice,
      ...outcomes.flatMap(({ warnings }) => warnings),
      ...unread.map((each) => `Not everything was read: ${each}.`),
    ],
    ...(images.length > 0 && { images }),
  });
}

/** The policies that apply to an image. If its digest is not known yet, all that may apply. */
export function policiesFor(
  image: PolicyImage,
  policies: readonly ImagePolicy[],
): readonly ImagePolicy[] {
  return policies.filter(({ images }) => images.some((glob) => glob.appliesTo(image)));
}

/**
 * The verdict about an image to which no policy applies.
 *
 * @param place the image, by digest or as it was given
 */
export function uncovered(
  place: string,
  { repository }: PolicyImage,
  policies: readonly ImagePolicy[],
  advice: readonly string[],
): ImageVerdict {
  const patterns = policies.map(
    ({ name, images }) =>
      `The policy "${name}" applies to ${images.map(({ source }) => source).join(", ")}.`,
  );
  const hint =
    "An image in a layout has no name that a pattern could match: pass its name in a registry, as name or with --name.";
  const notes = [...patterns, ...(isLayout(repository) ? [hint] : []), ...advice];
  return withText({ image: place, accepted: false, code: "NOT_COVERED", policies: [], notes });
}

const withText = (verdict: Omit<ImageVerdict, "text">): ImageVerdict => ({
  ...verdict,
  text: verdictText(verdict),
});

/** Whether the image is accepted, by its own policies and with all of its images. */
function codeOf(
  outcomes: readonly PolicyOutcome[],
  images: readonly ImageVerdict[],
): ImageVerdict["code"] {
  const failing = outcomes.filter(({ report }) => report.mode === "enforce" && !report.accepted);
  const isRefused =
    failing.some(({ isOpen }) => !isOpen) ||
    images.some(({ code }) => code === "REFUSED" || code === "NOT_COVERED");
  if (isRefused) return "REFUSED";
  const isOpen = failing.length > 0 || images.some(({ accepted }) => !accepted);
  return isOpen ? "NOT_KNOWN" : "ACCEPTED";
}

interface PolicyOutcome {
  readonly report: PolicyReport;
  /** True if it does not accept the image, and might if everything had been obtained. */
  readonly isOpen: boolean;
  readonly warnings: readonly string[];
}

async function evaluatePolicy(
  policy: ImagePolicy,
  digest: Digest,
  evidence: PolicyEvidence,
): Promise<PolicyOutcome> {
  const { name, mode, program } = policy;
  const outcomes: AuthorityOutcome[] = [];
  for (const authority of policy.authorities) {
    const outcome = await evaluateAuthority(authority, digest, evidence);
    outcomes.push(outcome);
    // A program reads the results of all of them.
    if (outcome.report.accepted && program === undefined) break;
  }
  const authorities = outcomes.map(({ report }) => report);
  const isMet = authorities.some(({ accepted }) => accepted);
  const answer: ProgramAnswer =
    isMet && program !== undefined
      ? await answerOf(program, policy, outcomes, evidence)
      : { isCompliant: true };
  const accepted = isMet && answer.isCompliant;
  const refusal = answer.isCompliant ? undefined : answer;
  const code = refusal === undefined ? "NO_AUTHORITY" : "POLICY";
  const warnings = [...outcomes.flatMap((each) => each.warnings), answer.warning ?? []].flat();
  return {
    report: {
      name,
      mode,
      accepted,
      code: accepted ? "ACCEPTED" : code,
      ...(refusal && { problem: serverMessage(refusal.problem) }),
      authorities,
    },
    isOpen: !accepted && (refusal?.isUndecided === true || outcomes.some(({ isOpen }) => isOpen)),
    warnings: warnings.map((each) => `The policy "${name}" warns: ${serverMessage(each)}`),
  };
}

/** What the program of a policy says about the results of the authorities that accept the image. */
async function answerOf(
  program: PolicyProgram,
  { readsConfiguration = false }: ImagePolicy,
  outcomes: readonly AuthorityOutcome[],
  { evaluate = cannotEvaluate, configurations }: PolicyEvidence,
): Promise<ProgramAnswer> {
  const matches = outcomes.flatMap(({ report, match }) =>
    report.accepted ? [[report.name, match] as const] : [],
  );
  const results = { authorityMatches: Object.fromEntries(matches) };
  if (!readsConfiguration) return evaluate(program, JSON.stringify(results));
  if (configurations === undefined) return refuses("needs the image's configuration");
  try {
    const config = await configurations();
    return await evaluate(program, JSON.stringify({ ...results, config }));
  } catch (error) {
    return undecided(problemOf(error));
  }
}
