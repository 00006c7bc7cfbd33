import type { LocatedFinding, NotPlanned, OfflinePlan } from "../offline-plan/offline-plan";
import { printable } from "../redaction/printable";
import { type Changes, changesOf } from "./changes";
import { changesText } from "./changes-text";
import { type ConstructOf, withPlace } from "./construct-place";
import { detailOf, type Diagnostic, diagnosticText } from "./diagnostic";
import { planDocument } from "./plan-document";
import { type Rename, renamesIn, renameText } from "./renames";

/** An offline plan as people read it. Contains no secrets. */
export interface Forecast {
  /** Undefined if the stack has errors. */
  readonly changes: Changes | undefined;
  /** Resources that would be kept if Terraform knew that their constructs moved. */
  readonly renames: readonly Rename[];
  readonly diagnostics: readonly Diagnostic[];
  /** What could not be planned, and why. */
  readonly notPlanned: readonly { readonly address: string; readonly reason: string }[];
}

/** Reads what people need from a plan. */
export function forecastOf(plan: OfflinePlan, constructOf: ConstructOf): Forecast {
  const document = planDocument({
    resource_changes: plan.resourceChanges,
    output_changes: plan.outputChanges,
  });
  const isBroken = plan.findings.some(({ severity }) => severity === "error");
  return {
    changes: isBroken ? undefined : changesOf(document, constructOf),
    renames: isBroken ? [] : renamesIn(document),
    diagnostics: plan.findings.map((finding) => diagnosticOf(finding, constructOf)),
    notPlanned: plan.notPlanned.map((each) => ({
      address: each.address,
      reason: reasonText(each),
    })),
  };
}

/**
 * Formats a forecast for people: what is wrong, what would change, and what is not known.
 *
 * @param remarks other remarks on the stack
 * @param isColored true for colored signs
 */
export function forecastText(
  { changes, renames, diagnostics, notPlanned }: Forecast,
  {
    constructOf,
    remarks = [],
    isColored = false,
  }: {
    readonly constructOf: ConstructOf;
    readonly remarks?: readonly string[];
    readonly isColored?: boolean;
  },
): string {
  const shown = changes === undefined ? "" : changesText(changes, isColored);
  return [
    ...[...remarks, ...diagnostics.map((each) => diagnosticText(each, constructOf))].map(
      (text) => `  ${text}\n`,
    ),
    shown === "" ? "" : `\n${shown}\n`,
    ...renames.map((rename) => `  ${printable(renameText(rename))}\n`),
    ...notPlanned.map(({ address, reason }) => `  ${printable(`? ${address}: ${reason}`)}\n`),
  ].join("");
}

function diagnosticOf(
  { severity, summary, detail, address, attribute }: LocatedFinding,
  constructOf: ConstructOf,
): Diagnostic {
  const diagnostic = {
    severity,
    summary,
    ...detailOf(detail),
    address,
    ...(attribute !== undefined && { attribute }),
  };
  return withPlace(diagnostic, constructOf(address));
}

function reasonText({ why, reasons }: NotPlanned): string {
  switch (why) {
    case "other-provider":
      return "its provider cannot plan offline";
    case "module":
      return "modules are not planned offline";
    case "import":
      return "an import needs the network";
    case "network":
      return "needs the network";
    case "instances":
      return `the number of its instances depends on ${reasons.map(({ of }) => of).join(", ")}`;
  }
}
