import { serverMessage } from "../../http/server-message";
import type { VerificationProblem } from "../sigstore/verification/verification";
import type { CheckReport } from "./image-tree";

/** Reports a problem. What the trusted root lacks is no fault of the signature. */
export function problemReport({ code, problem }: VerificationProblem): CheckReport {
  const result = code === "NO_TRUST" ? "unchecked" : "refused";
  return { result, code, problem: serverMessage(problem) };
}

/** Reports that something was not checked. */
export const unchecked = (problem: string): CheckReport => ({
  result: "unchecked",
  problem: serverMessage(problem),
});

export const verified: CheckReport = { result: "verified" };
