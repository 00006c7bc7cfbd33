import { existsSync } from "node:fs";
import type { Diagnostic } from "../../changes/diagnostic";

/** What Terraform says about a state that it cannot read. */
const unreadable = /\b(?:Unsupported|Invalid) state file format\b|\bInvalid [^\n]* in state:/;
const newer = /\buses format version \d+, which is not supported/;

/** Terraform reads the state when it locks it, and then also advises to disable the lock, which does not help. */
const adviceOnLocks = /\n+\w+ acquires a state lock[^]*$/;
const heading = /^(?:Error message|Error: Error refreshing state): /;

/**
 * Says in an error about a state that cannot be read what to do about it. Returns anything else unchanged.
 *
 * @param file the path of a local state
 */
export function withStateAdvice(diagnostic: Diagnostic, file: string | undefined): Diagnostic {
  const { severity, detail, address } = diagnostic;
  // With an address, it is the state of another stack.
  if (severity !== "error" || address !== undefined || !unreadable.test(detail)) return diagnostic;
  const problems = detail.replace(adviceOnLocks, "").replace(heading, "");
  return {
    ...diagnostic,
    summary: "The state cannot be read",
    detail: `${newer.test(problems) ? newerAdvice : backupAdvice(file)}\nTerraform says: ${problems}`,
  };
}

const newerAdvice =
  "Use the Terraform that has written it, or a newer one. TERRAFORM_BINARY_NAME can name it.";

function backupAdvice(file: string | undefined): string {
  if (file === undefined) return "Restore an earlier version of the state in its backend.";
  const backup = `${file}.backup`;
  return existsSync(backup)
    ? `Restore a backup of ${file}. ${backup} is the state before the last change: resources created since are ` +
        "missing in it."
    : `Restore a backup of ${file}. Terraform has left none next to it.`;
}
