import {
  isObject,
  parseTrustedJson,
  type Properties,
  propertiesOf,
} from "../../core/json/plain-json";

/** A change of a resource or an output in a plan. */
export interface PlannedChange {
  /** Such as `["delete", "create"]`. */
  readonly actions: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
  readonly afterUnknown: unknown;
  readonly beforeSensitive: unknown;
  readonly afterSensitive: unknown;
  /** The paths of the attributes that force a replacement. */
  readonly replacePaths: readonly (readonly (string | number)[])[];
  readonly importId: string | undefined;
}

export interface PlannedResource {
  readonly address: string;
  readonly previousAddress: string | undefined;
  /** The source address of its provider, with its host. */
  readonly source: string | undefined;
  /** The schema version of its state. @default it is not in the state */
  readonly schemaVersion: number | undefined;
  /** Terraform's name for the reason, such as `replace_because_tainted`. */
  readonly reason: string | undefined;
  readonly change: PlannedChange;
}

export interface Output {
  readonly name: string;
  readonly isSensitive: boolean;
  readonly value: unknown;
}

/** The content of `terraform show -json` for a saved plan. */
export interface PlanDocument {
  readonly resources: readonly PlannedResource[];
  /** The addresses of resources that were deleted outside of Terraform. */
  readonly deletedOutside: ReadonlySet<string>;
  readonly outputs: readonly { readonly name: string; readonly change: PlannedChange }[];
  /** The outputs after the apply. Unknown outputs have no value. */
  readonly plannedOutputs: readonly Output[];
}

/** @throws SyntaxError if it is not JSON */
export const readPlan = (text: string): PlanDocument => planDocument(parseTrustedJson(text));

export function planDocument(plan: unknown): PlanDocument {
  const planned = propertiesOf(propertiesOf(plan)["planned_values"]);
  const prior = propertiesOf(propertiesOf(propertiesOf(plan)["prior_state"])["values"]);
  const versions = new Map(versionsIn(prior["root_module"]));
  const resourceOf = (each: Properties) => plannedResource(each, versions);
  const drift = objectsIn(propertiesOf(plan)["resource_drift"]).map(resourceOf);
  const deleted = drift.filter(({ change }) => change.actions.includes("delete"));
  return {
    resources: objectsIn(propertiesOf(plan)["resource_changes"]).map(resourceOf),
    deletedOutside: new Set(deleted.map(({ address }) => address)),
    outputs: Object.entries(propertiesOf(propertiesOf(plan)["output_changes"])).map(
      ([name, change]) => ({ name, change: changeOf(propertiesOf(change)) }),
    ),
    plannedOutputs: readOutputs(planned["outputs"]),
  };
}

export function readOutputs(outputs: unknown): readonly Output[] {
  return Object.entries(propertiesOf(outputs)).map(([name, output]) => {
    const { sensitive, value } = propertiesOf(output);
    return { name, isSensitive: sensitive !== false, value };
  });
}

function versionsIn(module: unknown): readonly (readonly [string, number])[] {
  const { resources, child_modules: below } = propertiesOf(module);
  const own = objectsIn(resources).map(
    (each) => [textOf(each["address"]) ?? "", Number(each["schema_version"])] as const,
  );
  return [...own, ...objectsIn(below).flatMap(versionsIn)];
}

function plannedResource(
  resource: Properties,
  versions: ReadonlyMap<string, number>,
): PlannedResource {
  const address = textOf(resource["address"]) ?? "";
  const isDeposed = resource["deposed"] !== undefined;
  return {
    address,
    source: textOf(resource["provider_name"]),
    schemaVersion: isDeposed ? undefined : versions.get(address),
    previousAddress: textOf(resource["previous_address"]),
    reason: textOf(resource["action_reason"]),
    change: changeOf(propertiesOf(resource["change"])),
  };
}

function changeOf(change: Properties): PlannedChange {
  const { actions, replace_paths: paths } = change;
  return {
    actions: Array.isArray(actions) ? actions.map(String) : [],
    before: change["before"],
    after: change["after"],
    afterUnknown: change["after_unknown"],
    beforeSensitive: change["before_sensitive"],
    afterSensitive: change["after_sensitive"],
    replacePaths: (Array.isArray(paths) ? paths : []).filter(Array.isArray),
    importId: textOf(propertiesOf(change["importing"])["id"]),
  };
}

const objectsIn = (value: unknown): readonly Properties[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;
