import { isJsonObject } from "../../json/json-value";
import type { VerifiedAttestation } from "../sigstore/verification/verification";

/** What is to be stated, to be compared with what is stated already. */
export interface IntendedStatement {
  /** The whole URI. */
  readonly predicateType: string;
  /** Of its bytes; hexadecimal. */
  readonly statementSha256: string;
  /** Of a predicate that holds the time at which it was made beside this text: the text. */
  readonly timedText?: string | undefined;
}

/** Whether a statement says what is intended; the time at which it was said makes no difference. */
export function isSameStatement(
  { statement, statementSha256 }: VerifiedAttestation,
  { predicateType, statementSha256: wanted, timedText }: IntendedStatement,
): boolean {
  if (statement.predicateType !== predicateType) return false;
  if (statementSha256 === wanted) return true;
  const { predicate } = statement;
  return timedText !== undefined && isJsonObject(predicate) && predicate["Data"] === timedText;
}
