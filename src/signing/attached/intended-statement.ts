import { isJsonObject } from "../../json/json-value";
import type { VerifiedAttestation } from "../sigstore/verification/verification";

/** A statement to sign, as far as it is compared with existing ones. */
export interface IntendedStatement {
  /** The full URI. */
  readonly predicateType: string;
  /** SHA-256 of the statement's bytes, in hexadecimal. */
  readonly statementSha256: string;
  /** Of a predicate that also contains the time: the string in it. */
  readonly timedText?: string | undefined;
}

/** Whether a statement is the intended one, ignoring the time in it. */
export function isSameStatement(
  { statement, statementSha256 }: VerifiedAttestation,
  { predicateType, statementSha256: wanted, timedText }: IntendedStatement,
): boolean {
  if (statement.predicateType !== predicateType) return false;
  if (statementSha256 === wanted) return true;
  const { predicate } = statement;
  return timedText !== undefined && isJsonObject(predicate) && predicate["Data"] === timedText;
}
