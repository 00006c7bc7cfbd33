import { TerraformStack } from "cdktf";
import { Construct, type IConstruct } from "constructs";
import { didYouMean, errorMeanings, knownWarnings } from "../../schema";
import { isToken } from "../token/is-token";
import { addAcknowledgement } from "./annotations";
import { watchStack } from "./stack-validation";
import { withUserStack } from "./user-stack";

/**
 * Accepts a warning, for a node and everything beneath it. The warning is then a note with the reason, in the
 * output of the library and in the report of `trivet check`. Errors cannot be acknowledged.
 *
 * An acknowledgement that matches no warning is reported as a note, so that users remove it.
 *
 * @param construct any node: a construct, a stack, or the app
 * @param code the code at the end of the warning, such as `endpoint-without-network`
 * @param reason why the warning is accepted, for whoever reads the report
 * @throws Error if the code is not that of a warning, if there is no reason, or if the first argument is not a
 * construct
 */
export function acknowledge(construct: IConstruct, code: string, reason: string): void {
  const problem = problemOf(construct, code, reason);
  if (problem !== undefined) {
    const error = new Error(`acknowledge: ${problem}`);
    Error.captureStackTrace(error, acknowledge);
    throw withUserStack(error);
  }
  addAcknowledgement({ scope: construct, code, reason: reason.trim() });
  const stack = construct.node.scopes.findLast((scope) => TerraformStack.isStack(scope));
  if (stack !== undefined) watchStack(stack);
}

function problemOf(construct: unknown, code: unknown, reason: unknown): string | undefined {
  if (!Construct.isConstruct(construct)) {
    const got = construct === null ? "null" : typeof construct;
    return `the first argument must be a construct, a stack or the app (got ${got})`;
  }
  if (typeof code !== "string") {
    return `the second argument must be the code of a warning (got ${typeof code})`;
  }
  const known = knownWarnings();
  if (!known.has(code)) {
    return isErrorCode(code)
      ? `"${code}" is the code of errors, which cannot be acknowledged: correct the stack`
      : `"${code}" is not the code of a warning${didYouMean(code, known.keys()) || ": each warning ends with its code, in brackets"}`;
  }
  if (typeof reason !== "string" || reason.trim() === "") {
    return `"${code}" needs a reason, for whoever reads the report`;
  }
  return isToken(reason)
    ? `the reason for "${code}" must be plain text, not a token: people read it`
    : undefined;
}

const isErrorCode = (code: string): boolean => Object.hasOwn(errorMeanings, code);
