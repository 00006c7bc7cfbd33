import { serverMessage } from "../../http/server-message";
import type { Digest } from "../oci/reference/descriptor";
import { signPredicateType } from "../sigstore/format/statement";
import {
  isVerified,
  type Verification,
  type VerificationRules,
  type VerifiedAttestation,
  type VerifiedSignature,
} from "../sigstore/verification/verification";
import { nextTurn } from "../sigstore/verification/next-turn";
import { type Counted, reportCounted, resultOf, describeSigner, rulesOf } from "./policy-rules";
import { cannotEvaluate, type PolicyProgram } from "./engine/run-engine";
import type {
  AuthorityReport,
  RejectedCode,
  RejectedReport,
  RequirementReport,
} from "./image-verdict";
import type { AttestationRequirement, Authority, SigningAuthority } from "./policy";
import type { AttachmentPlace, Candidate, PolicyEvidence, Unchecked } from "./policy-evidence";
import { type Attached, verifyAttached } from "../sigstore/verification/verify-attached";

export interface AuthorityOutcome {
  readonly report: AuthorityReport;
  /** What counted, as the program of a whole policy reads it. */
  readonly match: object;
  /** True if it does not accept the image, and might if everything had been obtained. */
  readonly isOpen: boolean;
  /** Warnings of programs about attestations. */
  readonly warnings: readonly string[];
}

/** Evaluates one authority of a policy for an image. Errors with a code count against the authority. */
export async function evaluateAuthority(
  authority: Authority,
  digest: Digest,
  evidence: PolicyEvidence,
): Promise<AuthorityOutcome> {
  const { name } = authority;
  const without = (code: AuthorityReport["code"], problem?: string): AuthorityOutcome => ({
    report: {
      name,
      accepted: code === "ACCEPTED",
      code,
      ...(problem !== undefined && { problem: serverMessage(problem) }),
      requirements: [],
    },
    match: { static: true },
    isOpen: code === "NOT_READ",
    warnings: [],
  });
  if (authority.kind === "static") {
    const { action, message } = authority;
    if (action === "pass") return without("ACCEPTED");
    return without("STATIC", `rejects every image${message === undefined ? "" : `: ${message}`}`);
  }
  try {
    const rules = await rulesOf(authority, evidence);
    if ("problem" in rules) return without("NO_TRUST", rules.problem);
    return authority.attestations.length === 0
      ? await bySignature(authority, digest, rules, evidence)
      : await byAttestations(authority, digest, rules, evidence);
  } catch (error) {
    return without("NOT_READ", problemOf(error));
  }
}

async function bySignature(
  authority: SigningAuthority,
  digest: Digest,
  rules: VerificationRules,
  evidence: PolicyEvidence,
): Promise<AuthorityOutcome> {
  const { verified, rejected } = await verifyAll(
    await evidence.signatures(placeOf(authority)),
    [signPredicateType],
    (found) => verifyAttached(found, digest, "signature", rules),
    evidence,
  );
  const isMissing = verified.length === 0;
  const others = isMissing ? await othersOf("signature", authority, evidence) : [];
  const required = `a ${authority.format} signature by ${describeSigner(authority)}`;
  const requirement = { required, counted: verified, rejected: [...rejected, ...others] };
  const results = verified.map(({ value }) => resultOf(value));
  return outcomeOf(authority, [requirement], { signatures: results });
}

/** Each listed predicate type needs its own attestation. */
async function byAttestations(
  authority: SigningAuthority,
  digest: Digest,
  rules: VerificationRules,
  evidence: PolicyEvidence,
): Promise<AuthorityOutcome> {
  const wantedTypes = authority.attestations.map(({ predicateType }) => predicateType);
  const readTypes =
    authority.format === "bundle" ? [...wantedTypes, signPredicateType] : wantedTypes;
  const { verified, rejected } = await verifyAll(
    signatureLabelsLast(await evidence.attestations(placeOf(authority))),
    readTypes,
    (found) => verifyAttached(found, digest, "attestation", rules),
    evidence,
  );
  const requirements: Requirement[] = [];
  const results: (readonly [string, object])[] = [];
  for (const wanted of authority.attestations) {
    const isWanted = ({ value }: Counted<VerifiedAttestation>) =>
      value.statement.predicateType === wanted.predicateType;
    const accepted = await acceptedBy(wanted.program, verified.filter(isWanted), evidence);
    const others = verified
      .filter((each) => !isWanted(each))
      .map(({ label, value }) => otherType(label, value.statement.predicateType));
    const isMissing = accepted.counted.length === 0;
    const unread = isMissing ? await othersOf("attestation", authority, evidence) : [];
    requirements.push({
      ...accepted,
      required: describe(authority, wanted),
      attestation: wanted.name,
      rejected: byProgress([...rejected, ...others, ...accepted.rejected, ...unread]),
    });
    const counted = accepted.counted.map(({ value }) => resultOf(value, wanted.writtenType));
    results.push([wanted.name, counted]);
  }
  return outcomeOf(authority, requirements, { attestations: Object.fromEntries(results) });
}

interface Requirement {
  readonly required: string;
  readonly attestation?: string;
  readonly counted: readonly Counted<VerifiedSignature | VerifiedAttestation>[];
  readonly rejected: readonly RejectedReport[];
  /** True if a program about an attestation could not be evaluated. @default false */
  readonly isUndecided?: boolean;
  readonly warnings?: readonly string[];
}

function outcomeOf(
  { name }: SigningAuthority,
  requirements: readonly Requirement[],
  match: object,
): AuthorityOutcome {
  const unmet = requirements.filter(({ counted }) => counted.length === 0);
  const accepted = unmet.length === 0;
  const reports = requirements.map(reportRequirement);
  return {
    report: { name, accepted, code: accepted ? "ACCEPTED" : "MISSING", requirements: reports },
    match,
    isOpen: !accepted && unmet.every(({ isUndecided = false }) => isUndecided),
    warnings: requirements.flatMap(({ warnings = [] }) => warnings),
  };
}

// The image's registry chooses how many there are.
const maxListed = 100;

function reportRequirement({
  required,
  attestation,
  counted,
  rejected,
}: Requirement): RequirementReport {
  return {
    required,
    ...(attestation !== undefined && { attestation }),
    accepted: counted.length > 0,
    counted: counted.slice(0, maxListed).map(reportCounted),
    countedTotal: counted.length,
    rejected: rejected.slice(0, maxListed),
    rejectedTotal: rejected.length,
  };
}

function describe(authority: SigningAuthority, wanted: AttestationRequirement): string {
  const { name, predicateType, program } = wanted;
  const satisfies = program === undefined ? "" : `, satisfying its policy in ${program.type}`;
  return `a ${authority.format} attestation "${name}" of the type ${predicateType} by ${describeSigner(authority)}${satisfies}`;
}

/** Lists are cut, so what came nearest to meeting the requirement comes first. */
function byProgress(rejected: readonly RejectedReport[]): readonly RejectedReport[] {
  const last: readonly RejectedCode[] = ["UNCHECKED", "OTHER_TYPE"];
  const rank = ({ code }: RejectedReport) => (code === "POLICY" ? -1 : last.indexOf(code) + 1);
  return rejected.toSorted((a, b) => rank(a) - rank(b));
}

/** What is attached in other forms, as the explanation of a requirement that is not met. */
async function othersOf(
  wanted: Unchecked["kind"],
  authority: SigningAuthority,
  { unchecked }: PolicyEvidence,
): Promise<readonly RejectedReport[]> {
  const found = (await unchecked?.(placeOf(authority))) ?? [];
  return found
    .filter(({ kind = wanted }) => kind === wanted)
    .map(({ label, code, problem }) => reject(label, code, problem));
}

const placeOf = ({ format, source }: SigningAuthority): AttachmentPlace => ({ format, source });

/**
 * cosign 2.6.4 labels each bundle that it makes with a signing config as a signature, attestations too. So
 * the content decides about these, after all others are read.
 */
function signatureLabelsLast(candidates: readonly Candidate[]): readonly Candidate[] {
  const isLast = ({ claimedType }: Candidate) => Number(claimedType === signPredicateType);
  return candidates.toSorted((a, b) => isLast(a) - isLast(b));
}

async function acceptedBy(
  program: PolicyProgram | undefined,
  found: readonly Counted<VerifiedAttestation>[],
  { evaluate = cannotEvaluate }: PolicyEvidence,
) {
  if (program === undefined) return { counted: found, rejected: [] };
  const counted: Counted<VerifiedAttestation>[] = [];
  const rejected: RejectedReport[] = [];
  const warnings: string[] = [];
  let isUndecided = false;
  for (const each of found) {
    const answer = await evaluate(program, JSON.stringify(each.value.statement.json));
    if (answer.warning !== undefined) warnings.push(`${each.label}: ${answer.warning}`);
    if (answer.isCompliant) counted.push(each);
    else {
      isUndecided ||= answer.isUndecided ?? false;
      rejected.push(reject(each.label, "POLICY", `its policy ${answer.problem}`));
    }
  }
  return { counted, rejected, isUndecided, warnings };
}

/** Reads and verifies one candidate after the other. A candidate that claims another type is not read. */
async function verifyAll<V extends VerifiedSignature>(
  candidates: readonly Candidate[],
  readTypes: readonly string[],
  verify: (found: Attached) => Verification<V>,
  { context }: PolicyEvidence,
): Promise<{
  readonly verified: readonly Counted<V>[];
  readonly rejected: readonly RejectedReport[];
}> {
  const verified: Counted<V>[] = [];
  const rejected: RejectedReport[] = [];
  for (const { label, claimedType, read } of candidates) {
    if (claimedType !== undefined && !readTypes.includes(claimedType)) {
      rejected.push(otherType(label, claimedType));
      continue;
    }
    const content = await read();
    await nextTurn(context);
    const value = "problem" in content ? content : verify(content);
    if (isVerified(value)) verified.push({ label, value });
    else rejected.push(reject(label, value.code, value.problem));
  }
  return { verified, rejected };
}

const otherType = (label: string, type: string): RejectedReport =>
  reject(label, "OTHER_TYPE", `has the type ${JSON.stringify(type)}`);

const reject = (label: string, code: RejectedCode, problem: string): RejectedReport => ({
  candidate: serverMessage(label),
  code,
  problem: serverMessage(problem),
});

/** Rethrows bugs (errors without a code) and the end of the call, which say nothing about the image. */
export function problemOf(error: unknown): string {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  if (!(error instanceof Error) || typeof code !== "string") throw error;
  if (code === "DEADLINE" || code === "CANCELLED") throw error;
  return error.message;
}
