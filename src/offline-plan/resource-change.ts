import { equals } from "../expression/equality";
import { type UnknownReason, Value } from "../expression/value";
import type { ResourceBlock } from "./configuration";
import type { Lifecycle } from "./meta-arguments";
import type { PlanningProvider } from "./provider";
import { type CompiledSchema, type Finding, hasErrors } from "./provider-values";
import { type OpenPart, openParts, samePartsOf, withNamesOf, withParts } from "./stand-ins";
import {
  markedBySchema,
  sensitivePaths,
  type Step,
  valueAt,
  withMarks,
  withValueAt,
} from "./value-path";

export type PlannedAction = "no-op" | "create" | "update" | "delete" | "replace";

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
  readonly findings: readonly Finding[];
  /** True if the provider could not decide without the network. */
  readonly needsNetwork: boolean;
}

/** What is known of one instance before it is planned. */
interface InstanceInput {
  readonly address: string;
  readonly block: ResourceBlock;
  readonly provider: PlanningProvider;
  readonly schema: CompiledSchema;
  /** The evaluated configuration, with marks. */
  readonly config: Value;
  readonly prior: PriorInstance | undefined;
  /** True if something in `replace_triggered_by` changes. */
  readonly isTriggered: boolean;
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
 * Plans one instance, as Terraform's core does: compares what the provider plans with the state, and plans again
 * without the state if it has to be replaced.
 */
export async function planInstance(input: InstanceInput): Promise<InstanceChange> {
  const { block, schema, prior, isTriggered } = input;
  const nothing = Value.null(schema.block.type);
  const before = prior?.state.unmarked();
  // The marks of ignored attributes are ignored, too.
  const config =
    prior === undefined || prior.isTainted
      ? input.config
      : withIgnored(input.config, prior.shown, block.lifecycle.ignoreChanges);
  const findings = await input.provider.validate(
    "resource",
    block.type,
    schema,
    input.config.unmarked(),
  );
  const isValid = !hasErrors(findings);
  const kept = samePartsOf(openParts(config), prior?.standIns ?? []);
  // A replacement uses what is ignored otherwise. Terraform would show it without its marks.
  const marksFor = (action: PlannedAction): readonly (readonly Step[])[] =>
    [config, ...(action === "replace" ? [input.config] : [])].flatMap(sensitivePaths);
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
    findings: [...findings, ...(more.findings ?? [])],
  });
  if (!isValid) return finish("no-op", before ?? nothing);
  const plan = async (from: Value | undefined) => {
    // Nothing is ignored for a new object, not even for one that replaces another.
    const given = from === undefined ? input.config : config;
    const found = await input.provider.plan(
      block.type,
      schema,
      {
        config: given.unmarked(),
        // What stays the same is unknown on both sides.
        prior: from === undefined ? nothing : withParts(from, kept).unmarked(),
        private: from === undefined ? none : (prior?.private ?? none),
      },
      (path) => reasonsAt(input.address, given, path),
    );
    const planned = withNamesOf(found.planned, given.unmarked());
    return { ...found, planned: from === undefined ? planned : withOld(planned, from, kept) };
  };
  const usable = prior?.isTainted === true ? undefined : before;
  const first = await plan(usable);
  if (hasErrors(first.findings) || first.planned.isNull) {
    const kept = first.needsNetwork ? unknownObject(input.address, schema) : (before ?? nothing);
    return finish("no-op", kept, { findings: first.findings, needsNetwork: first.needsNetwork });
  }
  const common = { findings: first.findings, needsNetwork: first.needsNetwork };
  // Also the reason for a creation.
  const triggered = isTriggered ? "replace_by_triggers" : undefined;
  if (before === undefined)
    return finish("create", first.planned, { ...common, reason: triggered });
  if (prior?.isTainted === true) {
    const reason = triggered ?? "replace_because_tainted";
    return finish("replace", first.planned, { ...common, reason });
  }
  const replacePaths = first.requiresReplace.filter((path) =>
    isChanged(before, first.planned, path),
  );
  if (replacePaths.length > 0 || isTriggered) {
    const again = await plan(undefined);
    return finish("replace", again.planned, {
      findings: distinct([...first.findings, ...again.findings]),
      needsNetwork: first.needsNetwork || again.needsNetwork,
      replacePaths,
      reason: triggered ?? "replace_because_cannot_update",
    });
  }
  if (equals(first.planned, before) !== true) return finish("update", first.planned, common);
  const unchanged = finish("no-op", first.planned, common);
  return isEquallyMarked(unchanged) ? unchanged : { ...unchanged, action: "update" };
}

const none = new Uint8Array();

/** Replaces what stays the same by what the state has for it. */
const withOld = (planned: Value, before: Value, kept: readonly OpenPart[]): Value =>
  kept.reduce((whole, { path }) => withValueAt(whole, path, valueAt(before, path)), planned);

/** Returns the reasons for which a planned value is not known: those of the configuration, else the apply. */
function reasonsAt(
  address: string,
  config: Value,
  path: readonly string[],
): readonly UnknownReason[] {
  const steps = path.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  const given = valueAt(config, steps)?.reasons() ?? [];
  return given.length > 0 ? given : [{ kind: "apply", of: `${address}.${path.join(".")}` }];
}

function unknownObject(address: string, { block }: CompiledSchema): Value {
  return Value.unknown(block.type, { kind: "network", of: address });
}

function isChanged(before: Value, after: Value, path: readonly Step[]): boolean {
  const [old, planned] = [valueAt(before, path), valueAt(after, path)];
  if (old === undefined || planned === undefined) return old !== planned;
  return equals(old, planned) !== true;
}

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

const distinct = (findings: readonly Finding[]): readonly Finding[] => [
  ...new Map(findings.map((each) => [JSON.stringify(each), each])).values(),
];
