import {
  diagnosticText,
  type TerraformAction,
  type TerraformFailure,
  type TerraformReport,
} from "../terraform/terraform-report";
import { shown } from "./step";

/** @throws Error unless a plan has the expected actions. Reads of data sources do not count. */
export function checkActions(
  expected: Readonly<Record<string, TerraformAction>>,
  planned: ReadonlyMap<string, TerraformAction>,
): void {
  const addresses = [...new Set([...Object.keys(expected), ...planned.keys()])].sort();
  expectNone(
    "the plan is not as expected",
    addresses.flatMap((address) => {
      const wanted = expected[address] ?? "no-op";
      const found = planned.get(address) ?? "no-op";
      const isFree = expected[address] === undefined && found === "read";
      return wanted === found || isFree ? [] : [`${address}: ${found} instead of ${wanted}`];
    }),
  );
}

/** @throws Error when a plan changes nothing */
export function checkIsChanged(report: TerraformReport): void {
  if (changesOf(report).length === 0) throw new Error("the plan is empty");
}

/** Returns a line for each resource and output that a plan changes. */
export const changesOf = ({ actions, changedOutputs }: TerraformReport): readonly string[] => [
  ...[...actions]
    .filter(([, action]) => action !== "no-op")
    .map(([address, action]) => `${address}: ${action}`),
  ...changedOutputs.map((name) => `output ${name}`),
];

/** @throws Error when a command failed in another way than expected */
export function checkError(failure: TerraformFailure, expected: string | RegExp): void {
  const reported = failure.diagnostics.map(diagnosticText).join("\n") || failure.message;
  // Without the line breaks and boxes of a terminal.
  const text = reported.replaceAll(/[╷│╵\s]+/g, " ");
  const isExpected =
    typeof expected === "string" ? text.includes(expected) : text.search(expected) >= 0;
  if (isExpected) return;
  throw new Error(`it failed, but not with ${shown(expected)}\n${failure.message}`, {
    cause: failure,
  });
}

/** The error for a failed step of an acceptance test. The message starts with the step. */
export class AcceptanceFailure extends Error {
  override readonly name = "AcceptanceFailure";

  constructor(
    /** The name of the step, such as `step 2 of 3`. */
    readonly step: string,
    message: string,
  ) {
    super(`${step}: ${message}`);
  }
}

/** @throws Error with a line for each problem, if there are any */
export function expectNone(what: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  throw new Error([what, ...problems.map((problem) => `  ${problem}`)].join("\n"));
}
