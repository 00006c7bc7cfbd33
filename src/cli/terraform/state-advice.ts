import { existsSync } from "node:fs";
import type { Diagnostic } from "../../planner/changes/diagnostic";

/** The use of a stack's state by a command. */
export interface StateUse {
  /** The folder in which Terraform works. */
  readonly folder: string;
  /** The path of a local state. */
  readonly file: string | undefined;
  readonly startedAt: Date;
}

/** Terraform's messages about a state that it cannot read. */
const unreadable = /\b(?:Unsupported|Invalid) state file format\b|\bInvalid [^\n]* in state:/;
const newer = /\buses format version \d+, which is not supported/;

/** Terraform reads the state when it locks it, and then also suggests disabling the lock, which does not help. */
const adviceOnLocks = /\n+\w+ acquires a state lock[^]*$/;
const heading = /^(?:Error message|Error: Error refreshing state): /;

const lockSummary = "Error acquiring the state lock";
const staleSummary = /^Saved plan (?:is stale|does not match the given state)$/;

/**
 * Adds advice to an error about a state that cannot be read, that another run has locked, or that has changed since a plan was
 * saved. Returns any other diagnostic unchanged.
 */
export function withStateAdvice(diagnostic: Diagnostic, use: StateUse): Diagnostic {
  const { severity, summary, detail, address } = diagnostic;
  // With an address, it is the state of another stack.
  if (severity !== "error" || address !== undefined) return diagnostic;
  if (unreadable.test(detail)) return { ...diagnostic, ...unreadableState(detail, use) };
  const isLocked = summary === lockSummary && /^Lock Info:$/m.test(detail);
  if (isLocked) return { ...diagnostic, ...lockedState(detail, use) };
  return staleSummary.test(summary)
    ? { ...diagnostic, detail: `${detail}\nSave a new plan with \`trivet plan --out\`.` }
    : diagnostic;
}

type Said = Pick<Diagnostic, "summary" | "detail">;

function unreadableState(detail: string, use: StateUse): Said {
  const problems = detail.replace(adviceOnLocks, "").replace(heading, "");
  return {
    summary: "The state cannot be read",
    detail: `${newer.test(problems) ? newerAdvice : backupAdvice(use)}\nTerraform says: ${problems}`,
  };
}

const newerAdvice =
  "Use the version of Terraform that wrote it, or a newer one. TERRAFORM_BINARY_NAME can be its path.";

function backupAdvice({ file }: StateUse): string {
  if (file === undefined) return "Restore an earlier version of the state in its backend.";
  const backup = `${file}.backup`;
  return existsSync(backup)
    ? `Restore a backup of ${file}. ${backup} is the state before the last change, without resources that were created ` +
        "since."
    : `Restore a backup of ${file}. Terraform has left none next to it.`;
}

const waitAdvice =
  "Wait until that run has ended, or let Terraform wait for it, with `-- -lock-timeout=5m` at the end of the command.";

function lockedState(detail: string, { folder, startedAt }: StateUse): Said {
  const [problem = ""] = detail.replace(heading, "").split("\nLock Info:", 1);
  const fields = new Map(
    [...detail.matchAll(/^ {2}(\w+): +(\S.*)$/gm)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );
  // Terraform writes nanoseconds, and the zone after them.
  const [, day = "", time = "", fraction = ""] =
    /^(\S+) (\d\d:\d\d:\d\d)(\.\d{1,3})?/.exec(fields.get("Created") ?? "") ?? [];
  // With some backends, such as http and pg, Terraform reports this command in place of the other one.
  const isKnown = new Date(`${day}T${time}${fraction}Z`) < startedAt;
  const operation =
    fields
      .get("Operation")
      ?.replace(/^OperationType/, "")
      .toLowerCase() ?? "";
  const [, reported] = /already locked: ID=(\S+)/.exec(problem) ?? [];
  const id = isKnown ? fields.get("ID") : reported;
  return {
    summary: "Another run has locked the state",
    detail: [
      ...(isKnown
        ? [`${fields.get("Who") ?? ""} has held the lock since ${day} ${time} UTC (${operation}).`]
        : []),
      waitAdvice,
      ...(id === undefined
        ? []
        : [
            `If that run was killed, release the lock: \`terraform force-unlock ${id}\` in ${folder}.`,
          ]),
      `Terraform says: ${problem.trim()}`,
    ].join("\n"),
  };
}
