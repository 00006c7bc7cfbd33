import type { UnknownReason } from "../expression/value";
import type { LocatedDiagnostic, OfflinePlan, UnknownValue } from "../offline-plan/plan-json";
import type { NotPlanned } from "../offline-plan/state";
import { hasErrors } from "../../core/provider-kit/core";
import { formatPath } from "../../core/provider-kit/values";
import { printable } from "../../core/redaction/printable";
import { type Changes, changesOf, type Rename, renamesIn, renameText } from "./changes";
import { changesText, countsText } from "./changes-text";
import { fitted } from "../../core/redaction/wrapped";
import { type ConstructOf, withPlace } from "./construct-place";
import { detailOf, type Diagnostic, diagnosticText } from "./diagnostic";
import { planDocument } from "./plan-document";

/** An offline plan for people. Contains no secrets. */
export interface Forecast {
  /** Undefined if the stack has errors. */
  readonly changes: Changes | undefined;
  /** Resources that would be kept if their constructs were declared as moved. */
  readonly renames: readonly Rename[];
  readonly diagnostics: readonly Diagnostic[];
  /** Resources that could not be planned, and why. */
  readonly notPlanned: readonly { readonly address: string; readonly reason: string }[];
  /** Planned values that are unknown for another reason than the apply, and why. */
  readonly unknownValues: readonly (Omit<UnknownValue, "reasons"> & { readonly reason: string })[];
}

export function forecastOf(plan: OfflinePlan, constructOf: ConstructOf): Forecast {
  const document = planDocument({
    resource_changes: plan.resourceChanges,
    output_changes: plan.outputChanges,
  });
  const isBroken = hasErrors(plan.diagnostics);
  return {
    changes: isBroken ? undefined : changesOf(document, constructOf),
    renames: isBroken ? [] : renamesIn(document, plan.movable),
    diagnostics: plan.diagnostics.map((each) => diagnosticOf(each, constructOf)),
    notPlanned: plan.notPlanned.map((each) => ({
      address: each.address,
      reason: reasonText(each),
    })),
    unknownValues: plan.unknowns.map(({ reasons, ...each }) => ({
      ...each,
      reason: dependenceText(reasons),
    })),
  };
}

/** Summarizes a forecast, such as `2 to add`, or `14 not known, nothing else changes`. */
export function summaryOf({ changes, notPlanned, unknownValues }: Forecast): string {
  if (changes === undefined) return "has errors, so it is not planned";
  const open = notPlanned.length + unknownValues.length;
  const nothing = open === 0 ? "no changes" : "nothing else changes";
  const others = changes.outputs.length > 0 ? "only outputs change" : nothing;
  const counts = countsText(changes.counts) || others;
  if (open === 0) return counts;
  return counts === others ? `${open} not known, ${counts}` : `${counts}, ${open} not known`;
}

/**
 * Formats a forecast for people: errors, changes, and what is not known.
 *
 * @param remarks other remarks on the stack
 * @param isColored true for colored signs
 * @param width the number of columns of a terminal
 */
export function forecastText(
  { changes, renames, diagnostics, notPlanned, unknownValues }: Forecast,
  {
    constructOf,
    remarks = [],
    isColored = false,
    width,
  }: {
    readonly constructOf: ConstructOf;
    readonly remarks?: readonly string[];
    readonly isColored?: boolean;
    readonly width?: number | undefined;
  },
): string {
  const shown = changes === undefined ? "" : changesText(changes, isColored, width);
  const text = [
    ...[...remarks, ...diagnostics.map((each) => diagnosticText(each, constructOf))].map(
      (text) => `  ${text}\n`,
    ),
    shown === "" ? "" : `\n${shown}\n`,
    ...renames.map((rename) => `  ${printable(renameText(rename))}\n`),
    ...notPlanned.map(({ address, reason }) => `  ${printable(`? ${address}: ${reason}`)}\n`),
    ...unknownLines(unknownValues).map((line) => `  ${printable(`? ${line}`)}\n`),
  ].join("");
  return fitted(text, width);
}

/** Lists unknown values by reason. Many resources can depend on one variable. */
function unknownLines(values: Forecast["unknownValues"]): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const { address, attribute, reason } of values) {
    const names = byReason.get(reason) ?? [];
    byReason.set(reason, names);
    names.push(`${address}.${attribute}`);
  }
  return [...byReason].map(([reason, [first = "", ...others]]) => {
    const more = others.length === 0 ? "" : ` and ${others.length} more`;
    return `${first}${more}: not known, ${reason}`;
  });
}

function diagnosticOf(
  { severity, summary, detail, address, path }: LocatedDiagnostic,
  constructOf: ConstructOf,
): Diagnostic {
  const diagnostic = {
    severity: severity === "ERROR" ? "error" : "warning",
    summary,
    ...detailOf(detail),
    address,
    ...(path !== undefined && { attribute: formatPath(path) }),
  } as const;
  return withPlace(diagnostic, constructOf(address));
}

const whys: Readonly<Record<Exclude<NotPlanned["why"], "instances">, string>> = {
  "other-provider": "its provider cannot plan offline",
  module: "modules are not planned offline",
  import: "an import needs the network",
  network: "needs the network",
  work: "not known: too much work",
  bug: "could not be evaluated here",
};

const reasonText = ({ why, reasons }: NotPlanned): string =>
  why === "instances" ? `the number of its instances ${dependenceText(reasons)}` : whys[why];

const dependenceText = (reasons: readonly UnknownReason[]): string =>
  `depends on ${reasons.map(({ of }) => of).join(", ")}`;
