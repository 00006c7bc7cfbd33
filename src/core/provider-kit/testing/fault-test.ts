import type { Declaration } from "../../schema/declaration";
import type { Values } from "../../schema/resource-rule";
import { type CoreDiagnostic, isError } from "../core/diagnostic";
import type { StoredResource } from "../core/resource-plan";
import { mismatches } from "./acceptance/step";
import type { Fault, FaultKind, SeenRequest } from "./faults/fault";
import type { ResourceHarness } from "./resource-harness";
import type { ProviderCommand } from "./terraform/served-provider";
import { WireValues } from "./wire-values";

/** An operation of a resource or a data source. */
export type FaultOperation = "create" | "read" | "update" | "delete";

/** A new back end. */
export interface FaultScene {
  /** The URLs of its services, by names of your choice: http or https. */
  readonly services: Readonly<Record<string, string>>;
  /** Called at the end of the run. @default nothing to close */
  readonly close?: (() => void | Promise<void>) | undefined;
}

/** The back end of a run, behind the proxies on which faults happen. */
export interface FaultWorld<Scene extends FaultScene> {
  readonly scene: Scene;
  /** The URLs to give to the provider, by the names of the scene's services. */
  readonly urls: Readonly<Record<string, string>>;
  /**
   * True if a request of the provider that is being configured will get no response. Then configure short
   * time-outs, so that the provider does not wait for long.
   */
  readonly isUnanswered: boolean;
}

/** A test of the consequences of faults. */
export interface FaultTest<Scene extends FaultScene> {
  /** A provider that is built with this kit: the executable and its arguments. */
  readonly executable: ProviderCommand;
  /** Variables to add to its environment, in which HOME and XDG_STATE_HOME are temporary. @default none */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Opens a back end for one run, without any trace of the resource. */
  readonly open: () => Scene | Promise<Scene>;
  /** The declaration of the provider. */
  readonly provider: Declaration;
  /** The provider's settings, with the names of the declaration. */
  readonly settings: (world: FaultWorld<Scene>) => Values;
  /** The resource or the data source. */
  readonly declaration: Declaration;
  /** Its configuration, with the names of the declaration. */
  readonly config: (world: FaultWorld<Scene>) => Values;
  /** The configuration that updates the resource. @default updates are not tested */
  readonly changed?: ((world: FaultWorld<Scene>) => Values) | undefined;
  /**
   * Returns the objects of the resource in the back end, with the values that the state must have, by the
   * names of the declaration. There must be exactly one while the resource exists.
   *
   * @default not checked
   */
  readonly objects?: ((world: FaultWorld<Scene>) => Promise<readonly Values[]>) | undefined;
  /** True if the objects stay when the resource is destroyed. @default false */
  readonly keepsObjects?: boolean | undefined;
  /**
   * Makes further checks after each run, and throws an error for a problem.
   *
   * @param state undefined when the resource was destroyed
   */
  readonly check?:
    ((world: FaultWorld<Scene>, state: Values | undefined) => void | Promise<void>) | undefined;
  /** @default all that apply to the declaration */
  readonly operations?: readonly FaultOperation[] | undefined;
  /** @default all */
  readonly kinds?: readonly FaultKind[] | undefined;
  /** Chooses which of the faults that can happen at the requests of an operation are tried. @default all */
  readonly choose?:
    ((faults: readonly Fault[], requests: readonly SeenRequest[]) => readonly Fault[]) | undefined;
  /** The number of simultaneous runs. @default 4 */
  readonly concurrency?: number | undefined;
  /** The longest time of one run, in milliseconds. @default 120000 */
  readonly runTimeoutMs?: number | undefined;
}

/** @throws Error unless the back end is empty after a destruction, as far as the test requires it */
export async function checkDestroyed<Scene extends FaultScene>(
  { objects, keepsObjects = false, check }: FaultTest<Scene>,
  world: FaultWorld<Scene>,
): Promise<void> {
  const left = keepsObjects ? [] : ((await objects?.(world)) ?? []);
  if (left.length > 0) {
    throw new Error(`the back end still has ${left.length} objects after the destruction`);
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
 * @throws Error otherwise
 */
export async function checkStored<Scene extends FaultScene>(
  { declaration, objects, check }: FaultTest<Scene>,
  { harness, config, stored, world }: FaultOutcome<Scene>,
): Promise<void> {
  const read = succeeded("the read after the next run", await harness.read(stored));
  if (read.stored === undefined) throw new Error("the resource is lost: a read does not find it");
  const values = new WireValues(declaration);
  const texts = [stored, read.stored].map(({ state }) =>
    Buffer.from(values.encodeJson(state)).toString(),
  );
  if (texts[0] !== texts[1]) {
    throw new Error(`the state is ${texts[0] ?? ""}, but a read returns ${texts[1] ?? ""}`);
  }
  const { action } = await harness.plan(config, read.stored);
  if (action !== "no-op") throw new Error(`the plan after the next run is ${action ?? "an error"}`);
  const found = await objects?.(world);
  if (found !== undefined && found.length !== 1) {
    throw new Error(`the back end has ${found.length} objects instead of 1`);
  }
  const different = found?.flatMap((each) => mismatches(each, stored.state, "state")) ?? [];
  if (different.length > 0) throw new Error(`the back end differs: ${different.join("; ")}`);
  await check?.(world, stored.state);
}

/** @throws Error unless a step had no error */
export function succeeded<Result extends { readonly diagnostics: readonly CoreDiagnostic[] }>(
  what: string,
  result: Result,
): Result {
  const errors = result.diagnostics.filter(isError);
  if (errors.length === 0) return result;
  const texts = errors.map(({ summary, detail }) => `${summary}: ${detail}`);
  throw new Error(`${what} failed: ${texts.join("; ")}`);
}

/** @throws Error for a diagnostic that blames the provider, because it is the back end that fails */
export function refuseBugs(diagnostics: readonly CoreDiagnostic[]): void {
  const first = diagnostics.find(({ isBug }) => isBug);
  if (first === undefined) return;
  throw new Error(`the failure is reported as a bug: ${first.summary}: ${first.detail}`);
}
