import { serverMessage } from "../../../http/server-message";
import type {
  AuthorityOutcome,
  Counted,
  PolicyOutcome,
  PolicyVerdict,
  Rejection,
  RequirementOutcome,
} from "../../policy/policy-verdict";
import type {
  AuthorityReport,
  CountedReport,
  ImageVerdict,
  PolicyReport,
  RejectedReport,
  RequirementReport,
} from "./image-verdict";
import { verdictText } from "./verdict-text";

// The image's registry chooses how many there are.
const maxListed = 100;

const refusals: readonly ImageVerdict["code"][] = ["REFUSED", "NOT_COVERED"];

interface Checked {
  readonly verdict: PolicyVerdict;
  readonly advice: readonly string[];
  /** What was not read, as sentences without a full stop. @default nothing */
  readonly unread?: readonly string[] | undefined;
  /** The platform for which an index lists it. */
  readonly platform?: string | undefined;
  /** The verdicts about the images of an index. @default none */
  readonly images?: readonly ImageVerdict[] | undefined;
}

/**
 * Reports a verdict as plain data. Words of others are on one line, with at most 500 characters.
 *
 * @param image the image by digest
 */
export function reportVerdict(image: string, checked: Checked): ImageVerdict {
  const { verdict, advice, unread = [], platform, images = [] } = checked;
  const isWhole = images.every(({ accepted }) => accepted);
  const own = verdict.isAccepted ? "ACCEPTED" : verdict.code;
  const isRefused = images.some(({ code }) => refusals.includes(code));
  const isOpen = own === "NOT_KNOWN" || (verdict.isAccepted && !isWhole);
  const ofAll = isRefused ? "REFUSED" : "NOT_KNOWN";
  const report = {
    image,
    ...(platform !== undefined && { platform: serverMessage(platform) }),
    accepted: verdict.isAccepted && isWhole,
    code: isOpen ? ofAll : own,
    policies: verdict.policies.map(policyReport),
    notes: [
      ...(own === "NOT_COVERED" && "message" in verdict ? [serverMessage(verdict.message)] : []),
      ...advice,
      ...verdict.advice,
      ...unread.map((each) => `Not everything was read: ${each}.`),
    ],
    ...(images.length > 0 && { images }),
  } as const;
  return { ...report, text: verdictText(report) };
}

function policyReport(outcome: PolicyOutcome): PolicyReport {
  const { policy, mode, isSatisfied: accepted, problem } = outcome;
  return {
    name: policy,
    mode,
    accepted,
    code: codeOf(accepted, problem === undefined ? "NO_AUTHORITY" : "POLICY"),
    ...quoted(problem),
    authorities: outcome.authorities.map(authorityReport),
  };
}

function authorityReport(outcome: AuthorityOutcome): AuthorityReport {
  const { authority, isSatisfied: accepted, code = "MISSING", problem, requirements } = outcome;
  return {
    name: authority,
    accepted,
    code: codeOf(accepted, code),
    ...quoted(problem),
    requirements: requirements.map(requirementReport),
  };
}

const codeOf = <Code extends string>(accepted: boolean, code: Code): Code | "ACCEPTED" =>
  accepted ? "ACCEPTED" : code;

const quoted = (problem: string | undefined) =>
  problem === undefined ? {} : { problem: serverMessage(problem) };

function requirementReport(outcome: RequirementOutcome): RequirementReport {
  const { required, attestation, verified, rejected } = outcome;
  return {
    required,
    ...(attestation && { attestation: attestation.name }),
    accepted: verified.length > 0,
    counted: verified.slice(0, maxListed).map(countedReport),
    countedTotal: verified.length,
    rejected: rejected.slice(0, maxListed).map(rejectedReport),
    rejectedTotal: rejected.length,
  };
}

function countedReport({ label, value }: Counted): CountedReport {
  const { signer, log, at } = value;
  return {
    candidate: serverMessage(label),
    ...(signer.kind === "key"
      ? { key: signer.keyId }
      : { subject: serverMessage(signer.subject), issuer: serverMessage(signer.issuer) }),
    ...(log && { log: log.url ?? log.logId, logIndex: log.logIndex }),
    ...(at && { time: at.toISOString() }),
    ...("statement" in value && { predicateType: serverMessage(value.statement.predicateType) }),
  };
}

const rejectedReport = ({ label, code, problem }: Rejection): RejectedReport => ({
  candidate: serverMessage(label),
  code,
  problem: serverMessage(problem),
});
