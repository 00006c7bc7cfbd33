import { joinReasons, type UnknownReason, Value } from "../expression/value";
import { hasErrors, readLater } from "../../core/provider-kit/core";
import { formatPath } from "../../core/provider-kit/values";
import { expressionsIn } from "./body";
import type { ResourceBlock } from "./configuration";
import { dependedOn, dependenciesOf } from "./graph";
import { addressOf, blockOf } from "./moves";
import type { PlanRun } from "./plan-run";
import type { PlannedInstance } from "./resource-change";
import { plainOf, valueOf } from "./provider-values";
import { describedValue, openParts, withName, withNamesOf, withParts } from "./stand-ins";
import { markedBySchema, reasonsAt, sensitivePaths, withMarks } from "./value-path";

/** Reads a data source if all that it depends on is known and it needs no network. Returns its value for references. */
export async function planDataSource(run: PlanRun, instance: PlannedInstance): Promise<Value> {
  const { address, block, key, provider, schema, variables } = instance;
  const config = await run.configurationOf(instance);
  await run.checkConditions("precondition", address, block.lifecycle.precondition, variables);
  const plain = config.unmarked();
  const checked = await provider.validate("data", block.type, schema, plain);
  run.report(address, checked);
  if (hasErrors(checked)) {
    return Value.unknown(schema.block.type, { kind: "apply", of: address });
  }
  const isPending = awaited(run, block).some((id) => isChanging(run, id));
  if (!config.isWhollyKnown || isPending) {
    const pending: UnknownReason = { kind: "apply", of: address };
    const reasons = isPending ? [pending] : joinReasons([config]);
    const value = withComputed(instance, config, reasons);
    run.record(block, key, {
      action: "read",
      reason: isPending ? "read_because_dependency_pending" : "read_because_config_unknown",
      before: Value.null(schema.block.type),
      after: value,
    });
    return value;
  }
  const { state, diagnostics } = await provider.read(block.type, schema, plain);
  run.report(address, diagnostics);
  if (state === undefined) {
    const reasons = [{ kind: "network", of: address } as const];
    if (diagnostics.length === 0) run.notPlanned.push({ address, why: "network", reasons });
    return withComputed(instance, config, reasons);
  }
  const value = markedBySchema(state, schema.block);
  const self = new Map([...variables, ["self", value] as const]);
  await run.checkConditions("postcondition", address, block.lifecycle.postcondition, self);
  if (block.isInCheck) {
    // It is read again after the apply.
    const before = Value.null(schema.block.type);
    const reason = "read_because_check_nested";
    run.record(block, key, { action: "read", reason, before, after: value });
  }
  return value;
}

/** The resources for whose changes a data source waits: in `depends_on`, in its conditions, and behind locals there. */
function awaited(
  { configuration, dependencies }: PlanRun,
  block: ResourceBlock,
): readonly string[] {
  const { precondition, postcondition } = block.lifecycle;
  const conditions = dependenciesOf(expressionsIn([precondition, postcondition]));
  const open = [...block.dependsOn.flatMap((each) => dependedOn(each) ?? []), ...conditions];
  const seen = new Set(open);
  for (const id of seen) {
    if (configuration.resources.has(id)) continue;
    for (const next of dependencies.get(id) ?? []) seen.add(next);
  }
  return [...seen].filter((id) => configuration.resources.get(id)?.mode === "managed");
}

/** Checks whether an instance of a resource changes, or is destroyed. */
function isChanging({ planned, stored, wanted }: PlanRun, id: string): boolean {
  const changes = [...(planned.get(id)?.values() ?? [])];
  return (
    changes.some(({ action }) => action !== "no-op") ||
    stored.some((each) => blockOf(each) === id && !wanted.has(addressOf(each)))
  );
}

/** The value of a data source that is not read, with unknown values for what the provider decides. */
function withComputed(
  { address, schema }: PlannedInstance,
  config: Value,
  reasons: readonly UnknownReason[],
): Value {
  const later = readLater(schema.block, plainOf(schema, config) ?? {}) ?? {};
  const reasonsOf = (path: readonly string[]) => reasonsAt(config, path, reasons);
  const value = withNamesOf(valueOf(schema, later, reasonsOf), config.unmarked());
  const asked = reasons.some(({ kind }) => kind === "apply") ? undefined : describedValue(config);
  const decided = openParts(value).filter(({ name }) => asked !== undefined && name === undefined);
  const parts = decided.map((part) => {
    const name = `${address}${asked}.${formatPath(part.path)}`;
    return { ...part, value: withName(part.value, name) };
  });
  const named = withMarks(withParts(value, parts), sensitivePaths(config));
  return markedBySchema(named, schema.block);
}
