import type { Digest } from "../oci/reference/digest";
import {
  isVerified,
  type Verification,
  type VerificationProblem,
  type VerificationRules,
  type VerifiedAttestation,
  type VerifiedSignature,
} from "../sigstore/verification/verification";
import type {
  AttachmentPlace,
  Awaitable,
  Candidate,
  PolicyEvidence,
  Unchecked,
} from "./policy-evidence";
import {
  cannotEvaluate,
  type EvaluateProgram,
  type PolicyProgram,
  type ProgramAnswer,
} from "./engine/program";
import type { Authority, SigningAuthority } from "./policy";
import { describeSigner, rulesOf } from "./policy-rules";
import type {
  AuthorityCode,
  AuthorityOutcome,
  Counted,
  Rejection,
  RequirementOutcome,
} from "./policy-verdict";
import { hasSubject, signPredicateType } from "../sigstore/format/statement";

/** Evaluates one authority of a policy for an image. Errors with a code count against the authority. */
export async function evaluateAuthority<S, A>(
  authority: Authority,
  digest: Digest,
  evidence: PolicyEvidence<S, A>,
): Promise<AuthorityOutcome> {
  const { name } = authority;
  const failed = (code: AuthorityCode, problem: string): AuthorityOutcome => {
    return { authority: name, isSatisfied: false, code, problem, requirements: [] };
  };
  if (authority.kind === "static") {
    const { action, message } = authority;
    if (action === "pass") return { authority: name, isSatisfied: true, requirements: [] };
    return failed("STATIC", `rejects every image${message === undefined ? "" : `: ${message}`}`);
  }
  try {
    const rules = await rulesOf(authority, evidence);
    if ("problem" in rules) return failed("NO_TRUST", rules.problem);
    const requirements =
      authority.attestations.length === 0
        ? [await signatureOutcome(authority, digest, rules, evidence)]
        : await attestationOutcomes(authority, digest, rules, evidence);
    const isSatisfied = requirements.every(({ verified }) => verified.length > 0);
    return { authority: name, isSatisfied, requirements };
  } catch (error) {
    return failed("NOT_READ", problemOf(error));
  }
}

async function signatureOutcome<S, A>(
  authority: SigningAuthority,
  digest: Digest,
  rules: VerificationRules,
  { signatures, verifySignature, unchecked }: PolicyEvidence<S, A>,
): Promise<RequirementOutcome> {
  const found = await signatures(placeOf(authority));
  const { verified, rejected } = await verifyAll(found, [signPredicateType], async (content) =>
    asSignature(await verifySignature(content, rules), digest),
  );
  const required = `a ${authority.format} signature by ${describeSigner(authority)}`;
  const others = verified.length > 0 ? [] : await othersOf("signature", authority, unchecked);
  return { required, verified, rejected: [...rejected, ...others] };
}

/** Each listed predicate type needs its own attestation. */
async function attestationOutcomes<S, A>(
  authority: SigningAuthority,
  digest: Digest,
  rules: VerificationRules,
  { attestations, verifyAttestation, unchecked, evaluate = cannotEvaluate }: PolicyEvidence<S, A>,
): Promise<readonly RequirementOutcome[]> {
  const found = signatureLabelsLast(await attestations(placeOf(authority)));
  const wantedTypes = authority.attestations.map(({ predicateType }) => predicateType);
  const readTypes =
    authority.format === "bundle" ? [...wantedTypes, signPredicateType] : wantedTypes;
  const { verified, rejected } = await verifyAll(found, readTypes, async (content) =>
    aboutImage(await verifyAttestation(content, rules), digest),
  );
  const isSameType = (a: VerifiedAttestation, type: string) => a.statement.predicateType === type;
  const outcomes: RequirementOutcome[] = [];
  for (const { name, predicateType: type, writtenType, program } of authority.attestations) {
    const others = verified.filter(({ value }) => !isSameType(value, type));
    const otherTypes = others.map(({ label, value }): Rejection => {
      const problem = otherType(value.statement.predicateType);
      return { label, code: "OTHER_TYPE", problem };
    });
    const ofType = verified.filter(({ value }) => isSameType(value, type));
    const accepted = await acceptedBy(program, ofType, evaluate);
    const isMissing = accepted.verified.length === 0;
    const unread = isMissing ? await othersOf("attestation", authority, unchecked) : [];
    const satisfies = program === undefined ? "" : `, satisfying its policy in ${program.type}`;
    outcomes.push({
      required: `a ${authority.format} attestation "${name}" of the type ${type} by ${describeSigner(authority)}${satisfies}`,
      attestation: { name, type: writtenType },
      verified: accepted.verified,
      rejected: byProgress([...rejected, ...otherTypes, ...accepted.rejected, ...unread]),
      warnings: accepted.warnings,
    });
  }
  return outcomes;
}

/** A message lists only the first: those that came nearest to meeting the requirement. */
function byProgress(rejected: readonly Rejection[]): readonly Rejection[] {
  const last: readonly Rejection["code"][] = ["UNCHECKED", "OTHER_TYPE"];
  const rank = ({ code }: Rejection) => (code === "POLICY" ? -1 : last.indexOf(code) + 1);
  return rejected.toSorted((a, b) => rank(a) - rank(b));
}

/** What is attached in other forms, as the explanation of a requirement that is not met. */
async function othersOf(
  wanted: Unchecked["kind"],
  authority: SigningAuthority,
  find: PolicyEvidence<unknown, unknown>["unchecked"],
): Promise<readonly Rejection[]> {
  const found = (await find?.(placeOf(authority))) ?? [];
  return found.filter(({ kind = wanted }) => kind === wanted);
}

/**
 * cosign 2.6.4 labels each bundle that it makes with a signing config as a signature, attestations too. So
 * the content decides about these, after all others are read.
 */
function signatureLabelsLast<C>(candidates: readonly Candidate<C>[]): readonly Candidate<C>[] {
  const isLast = ({ claimedType }: Candidate<C>) => Number(claimedType === signPredicateType);
  return candidates.toSorted((a, b) => isLast(a) - isLast(b));
}

/** The attestations whose statements a program accepts. */
async function acceptedBy(
  program: PolicyProgram | undefined,
  found: readonly { readonly label: string; readonly value: VerifiedAttestation }[],
  evaluate: EvaluateProgram,
): Promise<Pick<RequirementOutcome, "verified" | "rejected" | "warnings">> {
  const verified: Counted[] = [];
  const rejected: Rejection[] = [];
  const warnings: string[] = [];
  for (const { label, value } of found) {
    const input = JSON.stringify(value.statement.json);
    const answer: ProgramAnswer =
      program === undefined ? { isCompliant: true } : await evaluate(program, input);
    if (answer.warning !== undefined) warnings.push(`${label}: ${answer.warning}`);
    if (answer.isCompliant) verified.push({ label, value });
    else {
      const { isUndecided } = answer;
      rejected.push({
        label,
        code: "POLICY",
        problem: `its policy ${answer.problem}`,
        isUndecided,
      });
    }
  }
  return { verified, rejected, warnings };
}

function placeOf({ format, source }: SigningAuthority): AttachmentPlace {
  return { format, source };
}

/** Reads and verifies one candidate after the other. Those that claim none of the types are not read. */
async function verifyAll<C, V extends VerifiedSignature | VerifiedAttestation>(
  candidates: readonly Candidate<C>[],
  readTypes: readonly string[],
  verify: (content: C) => Awaitable<Verification<V>>,
): Promise<{
  readonly verified: readonly { readonly label: string; readonly value: V }[];
  readonly rejected: readonly Rejection[];
}> {
  const verified: { label: string; value: V }[] = [];
  const rejected: Rejection[] = [];
  for (const candidate of candidates) {
    const { label, claimedType } = candidate;
    if (claimedType !== undefined && !readTypes.includes(claimedType)) {
      rejected.push({ label, code: "OTHER_TYPE", problem: otherType(claimedType) });
      continue;
    }
    const content = "read" in candidate ? await candidate.read() : candidate.content;
    const value = isProblem(content) ? content : await verify(content);
    if (isProblem(value)) rejected.push({ label, code: value.code, problem: value.problem });
    else verified.push({ label, value });
  }
  return { verified, rejected };
}

function otherType(type: string): string {
  return `has the type ${JSON.stringify(type)}`;
}

function isProblem(content: unknown): content is VerificationProblem {
  return (
    typeof content === "object" && content !== null && "problem" in content && "code" in content
  );
}

/** Only a statement with the predicate type of signatures counts as a signature. */
function asSignature(
  result: Verification<VerifiedSignature | VerifiedAttestation>,
  digest: Digest,
): Verification<VerifiedSignature | VerifiedAttestation> {
  if (!isVerified(result) || !("statement" in result)) return result;
  if (result.statement.predicateType === signPredicateType) return aboutImage(result, digest);
  return { code: "CLAIM", problem: "is an attestation, which does not count as a signature" };
}

function aboutImage(
  result: Verification<VerifiedAttestation>,
  digest: Digest,
): Verification<VerifiedAttestation> {
  if (!isVerified(result) || hasSubject(result.statement, digest)) return result;
  return { code: "CLAIM", problem: "its statement is about another image" };
}

/** Rethrows bugs (errors without a code) and the end of the call, which tell nothing about the image. */
export function problemOf(error: unknown): string {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  if (!(error instanceof Error) || typeof code !== "string") throw error;
  if (code === "DEADLINE" || code === "CANCELLED") throw error;
  return error.message;
}
