import { Value } from "../expression/value";
import {
  type CoreDiagnostic,
  hasErrors,
  type PlannedAction,
  planSteps,
} from "../../core/provider-kit/core";
import type { Properties } from "../../core/json/plain-json";
import type { InstanceKey } from "./address";
import type { ResourceBlock } from "./configuration";
import type { Lifecycle } from "./meta-arguments";
import type { PlanningProvider } from "./provider";
import type { NetworkNote } from "./provider-calls";
import { type CompiledSchema, plainOf, valueOf } from "./provider-values";
import { type OpenPart, openParts, samePartsOf, withNamesOf, withParts } from "./stand-ins";
import {
  markedBySchema,
  reasonsAt,
  sensitivePaths,
  type Step,
  valueAt,
  withMarks,
  withValueAt,
} from "./value-path";

/** An instance of a resource or data source that is planned. */
export interface PlannedInstance {
  /** Such as `ids_endpoint.edge["a"]`. */
  readonly address: string;
  readonly block: ResourceBlock;
  readonly key: InstanceKey;
  /** The variables of its block, such as `each`. */
  readonly variables: ReadonlyMap<string, Value>;
  readonly provider: PlanningProvider;
  readonly schema: CompiledSchema;
}

export interface InstanceChange {
  readonly action: PlannedAction;
  /** The state before, with marks; null for a creation. */
  readonly before: Value;
  /** The planned state, with marks; null for a destruction. */
  readonly after: Value;
  readonly replacePaths: readonly (readonly Step[])[];
  /** Terraform's name for the reason, such as `replace_because_tainted`. */
  readonly reason: string | undefined;
  readonly diagnostics: readonly CoreDiagnostic[];
  /** True if the provider could not decide without the network. */
  readonly needsNetwork: boolean;
}

export interface PriorInstance {
  /** In the current version of the schema, with marks. */
  readonly state: Value;
  /** The same, with unknown values instead of placeholders, for people and for references. */
  readonly shown: Value;
  /** The placeholders of the state. */
  readonly standIns: readonly OpenPart[];
  readonly private: Uint8Array;
  readonly isTainted: boolean;
}

/**
 * Plans an instance like Terraform's core, with the marks, reasons and names that come from expressions.
 *
 * @param given the evaluated configuration, with marks
 * @param isTriggered true if something in `replace_triggered_by` changes
 */
export async function planInstance(
  instance: PlannedInstance,
  given: Value,
  prior: PriorInstance | undefined,
  isTriggered: boolean,
): Promise<InstanceChange> {
  const { block, provider, schema } = instance;
  const checked = await provider.validate("resource", block.type, schema, given.unmarked());
  const planning = new Planning(instance, given, prior, isTriggered);
  const change = hasErrors(checked) ? planning.unchanged() : await planning.change();
  return { ...change, diagnostics: [...checked, ...change.diagnostics] };
}

type ProviderPlan = Awaited<ReturnType<PlanningProvider["plan"]>>;

class Planning {
  /** The configuration of an object that is kept. */
  readonly #config: Value;
  readonly #before: Value;
  /** The unknown parts that are the same before and after. */
  readonly #kept: readonly OpenPart[];
  readonly #note: NetworkNote = { needsNetwork: false };

  constructor(
    readonly instance: PlannedInstance,
    readonly given: Value,
    readonly prior: PriorInstance | undefined,
    readonly isTriggered: boolean,
  ) {
    const { block, schema } = instance;
    // This also ignores the marks of ignored attributes.
    this.#config =
      prior === undefined || prior.isTainted
        ? given
        : withIgnored(given, prior.shown, block.lifecycle.ignoreChanges);
    this.#before = prior?.state.unmarked() ?? Value.null(schema.block.type);
    this.#kept = samePartsOf(openParts(this.#config), prior?.standIns ?? []);
  }

  unchanged(after = this.#before): InstanceChange {
    return this.#changeTo("no-op", after, [this.#config]);
  }

  async change(): Promise<InstanceChange> {
    const { action, plan, replaces, diagnostics } = await this.#steps();
    const { needsNetwork } = this.#note;
    const common = { diagnostics, needsNetwork };
    if (action === undefined || plan.planned === null) {
      const { address, schema } = this.instance;
      const open = Value.unknown(schema.block.type, { kind: "network", of: address });
      return { ...this.unchanged(needsNetwork ? open : undefined), ...common };
    }
    if (action === "create" || action === "replace") {
      const after = this.#plannedValue(plan.planned, this.given);
      // A replacement uses ignored attributes. Terraform would show them without marks.
      const marks = action === "replace" ? [this.#config, this.given] : [this.#config];
      const reason = this.#reason(action);
      return { ...this.#changeTo(action, after, marks), ...common, reason, replacePaths: replaces };
    }
    const planned = this.#plannedValue(plan.planned, this.#config);
    const after = this.prior === undefined ? planned : withOld(planned, this.#before, this.#kept);
    const change = { ...this.#changeTo(action, after, [this.#config]), ...common };
    return action === "update" || isEquallyMarked(change)
      ? change
      : { ...change, action: "update" };
  }

  #steps() {
    const { instance, given, prior, isTriggered } = this;
    const { block, provider, schema } = instance;
    const known = prior === undefined ? null : plainOf(schema, withParts(this.#before, this.#kept));
    const wanted = {
      type: schema.block.type,
      prior: known,
      isTainted: prior?.isTainted === true,
      isTriggered,
    };
    return planSteps(wanted, (isCreation, earlier?: ProviderPlan) => {
      const request = {
        // A new object ignores nothing, even if it replaces another one.
        config: plainOf(schema, isCreation ? given : this.#config) ?? {},
        prior: isCreation ? null : known,
        priorPrivate: earlier?.private ?? (isCreation ? undefined : prior?.private) ?? none,
      };
      return provider.plan(block.type, schema, request, this.#note);
    });
  }

  /** The provider's plan, with the reasons and names of the configuration. */
  #plannedValue(planned: Properties, config: Value): Value {
    const { address, schema } = this.instance;
    const value = valueOf(schema, planned, (path) =>
      reasonsAt(config, path, [{ kind: "apply", of: `${address}.${path.join(".")}` }]),
    );
    return withNamesOf(value, config.unmarked());
  }

  #reason(action: "create" | "replace"): string | undefined {
    // Terraform also names the trigger for a creation.
    if (this.isTriggered) return "replace_by_triggers";
    if (action === "create") return undefined;
    return this.prior?.isTainted === true
      ? "replace_because_tainted"
      : "replace_because_cannot_update";
  }

  #changeTo(action: PlannedAction, after: Value, marks: readonly Value[]): InstanceChange {
    const { block } = this.instance.schema;
    const marked = withMarks(withParts(after, this.#kept), marks.flatMap(sensitivePaths));
    return {
      action,
      before: this.prior?.shown ?? Value.null(block.type),
      after: after.isNull ? after : markedBySchema(marked, block),
      replacePaths: [],
      reason: undefined,
      diagnostics: [],
      needsNetwork: false,
    };
  }
}

const none = new Uint8Array();

/** Replaces the parts that stay the same by their values in the state. */
const withOld = (planned: Value, before: Value, kept: readonly OpenPart[]): Value =>
  kept.reduce((whole, { path }) => withValueAt(whole, path, valueAt(before, path)), planned);

/** Checks for the same marks. A change of marks alone is an update. */
function isEquallyMarked({ before, after }: InstanceChange): boolean {
  const paths = (value: Value): string => JSON.stringify(sensitivePaths(value).map(String).sort());
  return paths(before) === paths(after);
}

const withIgnored = (config: Value, prior: Value, ignored: Lifecycle["ignoreChanges"]): Value =>
  ignored === "all"
    ? prior
    : ignored.reduce<Value>(
        (changed, path) => withValueAt(changed, path, valueAt(prior, path)),
        config,
      );
