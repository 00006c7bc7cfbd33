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
import { instanceAddress, type InstanceKey } from "./address";
import { evaluateBody, expressionOf, expressionsIn } from "./body";
import type { Configuration } from "./configuration";
import { Evaluation, type StartedProvider } from "./evaluation";
import { type CoreDiagnostic, hasErrors, type PlannedAction } from "../../core/provider-kit/core";
import { formatPath } from "../../core/provider-kit/values";
import {
  addressOf,
  blockOf,
  type ExplicitMoves,
  explicitMoves,
  isCurrent,
  type PlacedInstance,
  placed,
} from "./moves";
import {
  changeOf,
  type JsonChange,
  type JsonResourceChange,
  type LocatedDiagnostic,
  type MovableResource,
  type OfflinePlan,
  type UnknownValue,
} from "./plan-json";
import type { CompiledSchema } from "./provider-values";
import type { InstanceChange, PlannedInstance, PriorInstance } from "./resource-change";
import { StackSecrets } from "./stack-secrets";
import { describedValue, isSame, withParts } from "./stand-ins";
import type { NotPlanned, State, StoredInstance } from "./state";
import { markedBySchema, type Step, valueAt, withMarks } from "./value-path";

export interface PlanInput {
  readonly configuration: Configuration;
  readonly state: State;
  /** The providers that can plan, by the name of their configuration, such as `ids.second`. */
  readonly providers: ReadonlyMap<string, StartedProvider>;
  /** Values of variables. @default their own defaults */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** The name or path of the program that deploys the stack. @default the value of TERRAFORM_BINARY_NAME */
  readonly program?: string | undefined;
}

export type ConditionKind = "precondition" | "postcondition" | "validation" | "assertion";

/** A plan in the making: the values and findings so far. */
export class PlanRun {
  readonly configuration: Configuration;
  readonly state: State;
  readonly providers: ReadonlyMap<string, StartedProvider>;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly evaluation: Evaluation;
  readonly secrets = new StackSecrets();
  /** The objects of the state, at their addresses in the configuration. */
  readonly stored: readonly PlacedInstance[];
  /** The current objects among them, by address. */
  readonly storedAt: ReadonlyMap<string, PlacedInstance>;
  readonly moves: ExplicitMoves;
  /** The earlier addresses of moved objects, by address. */
  readonly previousAddresses: ReadonlyMap<string, string>;
  /** The changes of managed resources, by the address of their block and by instance. */
  readonly planned = new Map<string, ReadonlyMap<InstanceKey, InstanceChange>>();
  readonly failedProviders = new Set<string>();
  readonly wanted = new Set<string>();
  /** The addresses of resources whose instances are not known. */
  readonly unexpanded = new Set<string>();
  /** The addresses of resources that are replaced by creating the new object first. */
  createdFirst: ReadonlySet<string> = new Set();
  /** The nodes to which each node refers, such as `local.names` or `ids_endpoint.edge`. */
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

  refuse(address: string, summary: string, detail: string, path?: CoreDiagnostic["path"]): void {
    this.report(address, [{ severity: "ERROR", summary, detail, path }]);
  }

  /**
   * Reports why something has no value: an error of the stack, too much work, or a bug. The plan continues.
   *
   * @returns the reason for the unknown value in its place
   */
  fault(address: string, error: unknown): UnknownReason {
    if (error instanceof EvaluationError) {
      this.refuse(address, "Invalid expression", error.message, error.path);
      return { kind: "apply", of: address };
    }
    // JavaScript throws a RangeError for what is too deep or too long.
    const isBug = !(
      isTooMuchWork(error) ||
      error instanceof NotComputed ||
      error instanceof RangeError
    );
    if (isBug) this.report(address, [bugOf(error)]);
    this.notPlanned.push({ address, why: isBug ? "bug" : "work", reasons: [] });
    return { kind: "evaluation", of: address };
  }

  /** Records the change of an object, and applies the rules in the `lifecycle` of its resource. */
  record(
    resource: Pick<StoredInstance, "module" | "mode" | "type" | "name">,
    key: InstanceKey,
    { action, reason, before, after, replacePaths = [], deposedKey }: ObjectChange,
  ): void {
    const { module, mode, type, name } = resource;
    const block = blockOf(resource);
    const address = instanceAddress(block, key);
    const previous = this.previousAddresses.get(address);
    const order = this.createdFirst.has(block) ? ["create", "delete"] : ["delete", "create"];
    this.changes.push({
      address,
      ...(module !== undefined && { module_address: module }),
      mode,
      type,
      name,
      ...(key !== undefined && { index: key }),
      ...(previous !== undefined && { previous_address: previous }),
      ...(reason !== undefined && { action_reason: reason }),
      ...(deposedKey !== undefined && { deposed: deposedKey }),
      change: changeOf(action === "replace" ? order : [action], before, after, replacePaths),
    });
    const isDestroyed = action === "delete" || action === "replace";
    const lifecycle = this.configuration.resources.get(block)?.lifecycle;
    // A deposed object can go, because its replacement exists.
    if (isDestroyed && deposedKey === undefined && lifecycle?.preventDestroy === true) {
      this.refuse(
        address,
        "The resource must not be destroyed",
        "Its lifecycle has prevent_destroy, but the plan destroys or replaces it. Undo the change that causes this, " +
          "or remove prevent_destroy.",
      );
    }
  }

  /** Notes the unknown parts of a planned value that do not depend on the apply. */
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

  async configurationOf({ block, schema, variables }: PlannedInstance): Promise<Value> {
    const config = await this.evaluation.run(expressionsIn(block.body), variables, (scope) =>
      evaluateBody(schema.block, block.body, scope),
    );
    this.secrets.add(markedBySchema(config, schema.block));
    return config;
  }

  /** Converts an object of the state to the current version of its schema; undefined if that fails. */
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

  /** Reports the conditions that are not met. Unknown conditions count as met, and assertions only warn. */
  async checkConditions(
    kind: ConditionKind,
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

/** The planned change of an object in the configuration or the state. */
interface ObjectChange {
  readonly action: PlannedAction | "read" | "forget";
  readonly reason: string | undefined;
  readonly before: Value;
  readonly after: Value;
  readonly replacePaths?: readonly (readonly Step[])[];
  /** The key of a deposed object, which is left over from a replacement. */
  readonly deposedKey?: string | undefined;
}

/** Leaves out the message of an unexpected error, which can contain values of the stack. */
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

/** @param path changed during the visit */
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
