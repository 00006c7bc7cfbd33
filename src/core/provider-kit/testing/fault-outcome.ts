import type { Values } from "../../schema/resource-rule";
import { mismatches } from "./acceptance/match";
import type { FaultScene, FaultTest, FaultWorld } from "./fault-test";
import type { ResourceHarness } from "./resource-harness";
import type { StoredResource } from "../core/resource-plan";
import { WireValues } from "./wire-values";
import { type CoreDiagnostic, isError } from "../core/diagnostic";

/** The error for a provider that has crashed, or for a step with the wrong result. */
export class FaultProblem extends Error {}

/** @throws FaultProblem unless the back end is empty after a destruction, as far as the test requires it */
export async function checkDestroyed<Scene extends FaultScene>(
  { objects, keepsObjects = false, check }: FaultTest<Scene>,
  world: FaultWorld<Scene>,
): Promise<void> {
  const left = keepsObjects ? [] : ((await objects?.(world)) ?? []);
  if (left.length > 0) {
    throw new FaultProblem(`the back end has ${left.length} of it left after the destruction`);
  }
  await check?.(world, undefined);
}

interface FaultOutcome<Scene extends FaultScene> {
  readonly harness: ResourceHarness;
  readonly config: Values;
  readonly stored: StoredResource;
  readonly world: FaultWorld<Scene>;
}

/**
 * Checks that the state matches the back end, which has the resource exactly once, and that a plan is empty.
 *
 * @throws FaultProblem otherwise
 */
export async function checkStored<Scene extends FaultScene>(
  { declaration, objects, check }: FaultTest<Scene>,
  { harness, config, stored, world }: FaultOutcome<Scene>,
): Promise<void> {
  const read = succeeded("the read after the next run", await harness.read(stored));
  if (read.stored === undefined)
    throw new FaultProblem("the resource is lost: a read does not find it");
  const values = new WireValues(declaration);
  const texts = [stored, read.stored].map(({ state }) =>
    Buffer.from(values.encodeJson(state)).toString(),
  );
  if (texts[0] !== texts[1]) {
    throw new FaultProblem(`the state is ${texts[0] ?? ""}, but a read returns ${texts[1] ?? ""}`);
  }
  const { action } = await harness.plan(config, read.stored);
  if (action !== "no-op")
    throw new FaultProblem(`the plan after the next run is ${action ?? "an error"}`);
  const found = await objects?.(world);
  if (found !== undefined && found.length !== 1) {
    throw new FaultProblem(`the back end has ${found.length} of it instead of 1`);
  }
  const different = found?.flatMap((each) => mismatches(each, stored.state, "state")) ?? [];
  if (different.length > 0) throw new FaultProblem(`the back end differs: ${different.join("; ")}`);
  await check?.(world, stored.state);
}

/** @throws FaultProblem unless a step had no error */
export function succeeded<Result extends { readonly diagnostics: readonly CoreDiagnostic[] }>(
  what: string,
  result: Result,
): Result {
  const errors = result.diagnostics.filter(isError);
  if (errors.length === 0) return result;
  const texts = errors.map(({ summary, detail }) => `${summary}: ${detail}`);
  throw new FaultProblem(`${what} failed: ${texts.join("; ")}`);
}

/**
 * Refuses a diagnostic that blames the provider, because it is the back end that fails. @throws FaultProblem
 */
export function refuseBugs(diagnostics: readonly CoreDiagnostic[]): void {
  const first = diagnostics.find(({ isBug }) => isBug);
  if (first === undefined) return;
  throw new FaultProblem(`the failure is reported as a bug: ${first.summary}: ${first.detail}`);
}
