import { Value } from "../expression/value";
import {
  type CoreDiagnostic,
  hasErrors,
  type PlannedAction,
  planSteps,
} from "../../core/provider-kit/core";
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

/** One instance of a resource or data source that is planned. */
export interface PlannedInstance {
  /** Such as `ids_endpoint.edge["a"]`. */
  readonly address: string;
  readonly block: ResourceBlock;
  readonly key: InstanceKey;
  /** The variables that only its block can use, such as `each`. */
  readonly variables: ReadonlyMap<string, Value>;
  readonly provider: PlanningProvider;
  readonly schema: CompiledSchema;
}

/** The planned change of one instance. */
export interface InstanceChange {
  readonly action: PlannedAction;
  /** The state before, with marks; null for a creation. */
  readonly before: Value;
  /** The planned state, with marks; null for a destruction. */
  readonly after: Value;
  readonly replacePaths: readonly (readonly Step[])[];
  /** Terraform's word for the reason, such as `replace_because_tainted`. */
  readonly reason: string | undefined;
  readonly diagnostics: readonly CoreDiagnostic[];
  /** True if the provider could not decide without the network. */
  readonly needsNetwork: boolean;
}

/** The object of an instance in the state. */
export interface PriorInstance {
  /** In the current version of the schema, with marks. */
  readonly state: Value;
  /** The same with what it does not know, for people and for references. */
  readonly shown: Value;
  /** What the state does not know. */
  readonly standIns: readonly OpenPart[];
  readonly private: Uint8Array;
  readonly isTainted: boolean;
}

/**
 * Plans one instance, as Terraform's core does, with what only expressions know: marks, reasons and names.
 *
 * @param given the evaluated configuration, with marks
 * @param isTriggered true if something in `replace_triggered_by` changes
 */
export async function planInstance(
  { address, block, provider, schema }: PlannedInstance,
  given: Value,
  prior: PriorInstance | undefined,
  isTriggered: boolean,
): Promise<InstanceChange> {
  const nothing = Value.null(schema.block.type);
  const before = prior?.state.unmarked();
  // The marks of ignored attributes are ignored, too.
  const config =
    prior === undefined || prior.isTainted
      ? given
      : withIgnored(given, prior.shown, block.lifecycle.ignoreChanges);
  const checked = await provider.validate("resource", block.type, schema, given.unmarked());
  const kept = samePartsOf(openParts(config), prior?.standIns ?? []);
  // A replacement uses what is ignored otherwise. Terraform would show it without its marks.
  const marksFor = (action: PlannedAction): readonly (readonly Step[])[] =>
    [config, ...(action === "replace" ? [given] : [])].flatMap(sensitivePaths);
  const finish = (
    action: PlannedAction,
    after: Value,
    more: Partial<InstanceChange> = {},
  ): InstanceChange => ({
    action,
    before: prior?.shown ?? nothing,
    after: after.isNull
      ? after
      : markedBySchema(withMarks(withParts(after, kept), marksFor(action)), schema.block),
    replacePaths: [],
    reason: undefined,
    needsNetwork: false,
    ...more,
    diagnostics: [...checked, ...(more.diagnostics ?? [])],
  });
  if (hasErrors(checked)) return finish("no-op", before ?? nothing);
  // What stays the same is unknown on both sides.
  const known = before && plainOf(schema, withParts(before, kept));
  const note: NetworkNote = { needsNetwork: false };
  const { action, plan, replaces, diagnostics } = await planSteps(
    {
      type: schema.block.type,
      prior: known ?? null,
      isTainted: prior?.isTainted === true,
      isTriggered,
    },
    (isCreation, earlier) => {
      const request = {
        // Nothing is ignored for a new object, not even for one that replaces another.
        config: plainOf(schema, isCreation ? given : config) ?? {},
        prior: isCreation ? null : (known ?? null),
        priorPrivate: earlier?.private ?? (isCreation ? undefined : prior?.private) ?? none,
      };
      return provider.plan(block.type, schema, request, note);
    },
  );
  const { needsNetwork } = note;
  const common = { diagnostics, needsNetwork };
  if (action === undefined || plan.planned === null) {
    const left = needsNetwork
      ? Value.unknown(schema.block.type, { kind: "network", of: address })
      : (before ?? nothing);
    return finish("no-op", left, common);
  }
  const isCreated = action === "create" || action === "replace";
  const written = isCreated ? given : config;
  const planned = withNamesOf(
    valueOf(schema, plan.planned, (path) =>
      reasonsAt(written, path, [{ kind: "apply", of: `${address}.${path.join(".")}` }]),
    ),
    written.unmarked(),
  );
  if (isCreated) {
    // A trigger is also the reason for a creation.
    const triggered = isTriggered ? "replace_by_triggers" : undefined;
    const cause =
      prior?.isTainted === true ? "replace_because_tainted" : "replace_because_cannot_update";
    const reason = triggered ?? (action === "replace" ? cause : undefined);
    return finish(action, planned, { ...common, reason, replacePaths: replaces });
  }
  const after = before === undefined ? planned : withOld(planned, before, kept);
  const change = finish(action, after, common);
  return action === "update" || isEquallyMarked(change) ? change : { ...change, action: "update" };
}

const none = new Uint8Array();

/** Replaces what stays the same by what the state has for it. */
const withOld = (planned: Value, before: Value, kept: readonly OpenPart[]): Value =>
  kept.reduce((whole, { path }) => withValueAt(whole, path, valueAt(before, path)), planned);

/** A change of marks alone is a change, too. */
function isEquallyMarked({ before, after }: InstanceChange): boolean {
  const paths = (value: Value): string => JSON.stringify(sensitivePaths(value).map(String).sort());
  return paths(before) === paths(after);
}

/** Replaces what `ignore_changes` names by what the state has. */
const withIgnored = (config: Value, prior: Value, ignored: Lifecycle["ignoreChanges"]): Value =>
  ignored === "all"
    ? prior
    : ignored.reduce<Value>(
        (changed, path) => withValueAt(changed, path, valueAt(prior, path)),
        config,
      );
