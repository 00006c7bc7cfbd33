import { convert } from "../expression/convert";
import { isTooMuchWork } from "../expression/budget";
import {
  EvaluationError,
  NotComputed,
  primitiveText,
  type UnknownReason,
  type Value,
} from "../expression/value";
import type { Properties } from "../../core/json/plain-json";
import { isOpenTofu } from "../../core/process/open-tofu";
import type { InstanceKey } from "./address";
import { evaluateBody, expressionOf, expressionsIn } from "./body";
import type { Configuration } from "./configuration";
import { Evaluation, type StartedProvider } from "./evaluation";
import { type CoreDiagnostic, hasErrors } from "../../core/provider-kit/core";
import { formatPath } from "../../core/provider-kit/values";
import {
  addressOf,
  type ExplicitMoves,
  explicitMoves,
  isCurrent,
  type PlacedInstance,
  placed,
} from "./moves";
import type {
  LocatedDiagnostic,
  MovableResource,
  OfflinePlan,
  PlanInput,
  UnknownValue,
} from "./offline-plan";
import type { JsonChange, JsonResourceChange } from "./plan-json";
import type { CompiledSchema } from "./provider-values";
import type { InstanceChange, PlannedInstance, PriorInstance } from "./resource-change";
import { StackSecrets } from "./stack-secrets";
import { describedValue, isSame, withParts } from "./stand-ins";
import type { NotPlanned, State } from "./state";
import { markedBySchema, type Step, valueAt, withMarks } from "./value-path";

/** One plan while it is made: the values so far, and what was found. */
export class PlanRun {
  readonly configuration: Configuration;
  readonly state: State;
  readonly providers: ReadonlyMap<string, StartedProvider>;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly evaluation: Evaluation;
  readonly secrets = new StackSecrets();
  /** The objects of the state, where the configuration has them. */
  readonly stored: readonly PlacedInstance[];
  /** Those of them that are current, by address. */
  readonly storedAt: ReadonlyMap<string, PlacedInstance>;
  readonly moves: ExplicitMoves;
  /** Where objects were before they moved, by their address. */
  readonly previousAddresses: ReadonlyMap<string, string>;
  /** The changes of managed resources, by the address of their block and by instance. */
  readonly planned = new Map<string, ReadonlyMap<InstanceKey, InstanceChange>>();
  readonly failedProviders = new Set<string>();
  /** The addresses of instances that the configuration has. */
  readonly wanted = new Set<string>();
  /** The addresses of resources whose instances are not known. */
  readonly unexpanded = new Set<string>();
  /** The addresses of resources whose replacement creates the new object first. */
  createdFirst: ReadonlySet<string> = new Set();
  /** What each part of the configuration refers to, by node, such as `local.names` or `ids_endpoint.edge`. */
  dependencies: ReadonlyMap<string, readonly string[]> = new Map();
  readonly changes: JsonResourceChange[] = [];
  readonly outputChanges: Record<string, JsonChange> = {};
  readonly notPlanned: NotPlanned[] = [];
  readonly movable: MovableResource[] = [];
  readonly #diagnostics: LocatedDiagnostic[] = [];
  readonly #unknowns: UnknownValue[] = [];

  constructor({
    configuration,
    state,
    providers,
    variables = {},
    program = process.env["TERRAFORM_BINARY_NAME"],
  }: PlanInput) {
    this.configuration = configuration;
    this.state = state;
    this.providers = providers;
    this.variables = variables;
    this.evaluation = new Evaluation(providers, this.secrets, isOpenTofu(program));
    this.moves = explicitMoves(configuration);
    const placement = placed(state.instances, configuration, this.moves);
    this.stored = placement.instances;
    this.previousAddresses = placement.previous;
    this.storedAt = new Map(
      this.stored.filter(isCurrent).map((instance) => [addressOf(instance), instance]),
    );
  }

  result(): OfflinePlan {
    return {
      resourceChanges: this.changes,
      outputChanges: this.outputChanges,
      diagnostics: this.#diagnostics.map((each) => this.secrets.redacted(each)),
      notPlanned: this.notPlanned,
      movable: this.movable,
      unknowns: this.#unknowns,
    };
  }

  get hasErrors(): boolean {
    return hasErrors(this.#diagnostics);
  }

  report(address: string, diagnostics: readonly CoreDiagnostic[]): void {
    for (const each of diagnostics) this.#diagnostics.push({ ...each, address });
  }

  /** Reports an error. */
  refuse(address: string, summary: string, detail: string, path?: CoreDiagnostic["path"]): void {
    this.report(address, [{ severity: "ERROR", summary, detail, path }]);
  }

  /**
   * Adds why something has no value: a fault of the stack, too much work, or a bug. None of them ends the plan.
   *
   * @returns the reason of the value that takes its place
   */
  fault(address: string, error: unknown): UnknownReason {
    if (error instanceof EvaluationError) {
      this.refuse(address, "Invalid expression", error.message, error.path);
      return { kind: "apply", of: address };
    }
    // The engine refuses what is too deep or too long with a RangeError.
    const isBug = !(
      isTooMuchWork(error) ||
      error instanceof NotComputed ||
      error instanceof RangeError
    );
    if (isBug) this.report(address, [bugOf(error)]);
    this.notPlanned.push({ address, why: isBug ? "bug" : "work", reasons: [] });
    return { kind: "evaluation", of: address };
  }

  /** Notes the parts of a planned value that a plan with the network, or with other providers, could know. */
  noteUnknown(address: string, value: Value, before: Value): void {
    const isAssumed = this.storedAt.get(address)?.standIns !== undefined;
    eachUnknown(value, [], (part, path) => {
      const reasons = part.reasons().filter(({ kind }) => kind !== "apply");
      const old = valueAt(before, path);
      if (reasons.length === 0 || (old !== undefined && isSame(old, part))) return;
      const isAnother = isAssumed && describedValue(part) !== undefined;
      const unknown = { address, attribute: formatPath(path), reasons };
      this.#unknowns.push({ ...unknown, ...(isAnother && { isAnother }) });
    });
  }

  /** The evaluated configuration of an instance, with marks. */
  async configurationOf({ block, schema, variables }: PlannedInstance): Promise<Value> {
    const config = await this.evaluation.run(expressionsIn(block.body), variables, (scope) =>
      evaluateBody(schema.block, block.body, scope),
    );
    this.secrets.add(markedBySchema(config, schema.block));
    return config;
  }

  /** An object of the state in the current version of its schema; undefined if it cannot be converted. */
  async priorOf(
    address: string,
    stored: PlacedInstance,
    provider: StartedProvider["provider"],
    schema: CompiledSchema,
  ): Promise<PriorInstance | undefined> {
    const { state, private: secret, diagnostics } = await provider.stored(schema, stored);
    this.report(address, diagnostics);
    if (state === undefined) return undefined;
    const { sensitivePaths, isTainted, standIns = [] } = stored;
    const marked = markedBySchema(withMarks(state, sensitivePaths), schema.block);
    this.secrets.add(marked);
    const shown = withParts(marked, standIns);
    return { state: marked, shown, standIns, private: secret, isTainted };
  }

  /** Reports the conditions that are not met. One that is not known yet counts as met. Assertions only warn. */
  async checkConditions(
    kind: "precondition" | "postcondition" | "validation" | "assertion",
    address: string,
    conditions: readonly Properties[],
    variables: ReadonlyMap<string, Value> = new Map(),
  ): Promise<void> {
    for (const { condition, error_message: message } of conditions) {
      const result = await this.evaluation.value(expressionOf(condition), variables);
      if (!result.isKnown || convert(result, "bool").content === true) continue;
      const text = await this.evaluation.value(expressionOf(message), variables);
      const detail = text.isSensitive ? "" : (primitiveText(text) ?? "");
      const severity = kind === "assertion" ? "WARNING" : "ERROR";
      const summary = `${kind === "assertion" ? "An" : "A"} ${kind} is not met`;
      this.report(address, [{ severity, summary, detail, path: undefined }]);
    }
  }
}

/** The message of an unexpected error can contain values of the stack, and is left out. */
function bugOf(error: unknown): CoreDiagnostic {
  const { name, stack = "" } = error instanceof Error ? error : new Error();
  const [place = ""] = /\bat .*/.exec(stack) ?? [];
  return {
    severity: "WARNING",
    summary: "Could not be evaluated here",
    detail: `This is probably a bug in trivet. Please report it with this line: ${name} ${place}`,
    path: undefined,
  };
}

/** @param path changes while the parts are visited */
function eachUnknown(
  value: Value,
  path: Step[],
  found: (part: Value, path: readonly Step[]) => void,
): void {
  if (!value.isKnown) {
    found(value, path);
    return;
  }
  for (const [step, part] of value.places()) {
    path.push(step);
    eachUnknown(part, path, found);
    path.pop();
  }
}
