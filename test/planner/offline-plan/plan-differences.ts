import type { JsonResourceChange, OfflinePlan } from "../../../src/planner/offline-plan/plan-json";

/** The part of `terraform show -json` that is compared. */
export interface JsonPlan {
  readonly resource_changes?: readonly JsonResourceChange[];
  readonly output_changes?: OfflinePlan["outputChanges"];
}

function pairsOf({ resource_changes: theirs = [] }: JsonPlan, ours: OfflinePlan) {
  const byKey = (changes: readonly JsonResourceChange[]) =>
    new Map(changes.map((each) => [`${each.address}${each.deposed ?? ""}`, each]));
  const [left, right] = [byKey(theirs), byKey(ours.resourceChanges)];
  const keys = [...new Set([...left.keys(), ...right.keys()])];
  return keys.map((key) => [key, left.get(key), right.get(key)] as const);
}

const facts = (each: JsonResourceChange | undefined) =>
  each && [
    each.change.actions,
    // They are a set: Terraform sorts them by their hashes.
    (each.change.replace_paths ?? []).map((path) => JSON.stringify(path)).toSorted(),
    each.previous_address,
    each.action_reason,
  ];

/** Returns the differences in what changes, whatever the values are. */
export function changeDifferences(theirs: JsonPlan, ours: OfflinePlan): readonly string[] {
  const outputs = Object.keys(theirs.output_changes ?? {}).map(
    (name) => [`output ${name}`, theirs.output_changes?.[name], ours.outputChanges[name]] as const,
  );
  const rows = [
    ...pairsOf(theirs, ours).map(
      ([key, their, our]) =>
        [
          key,
          [facts(their), attributesOf(their?.change)],
          [facts(our), attributesOf(our?.change)],
        ] as const,
    ),
    ...outputs.map(([key, their, our]) => [key, their?.actions, our?.actions] as const),
  ].map(([key, ...both]) => [key, ...both.map((each) => JSON.stringify(each))]);
  return rows.flatMap(([key = "", their = "", our = ""]) =>
    their === our ? [] : [`${key}: ${their} but we say ${our}`],
  );
}

/** The attributes that change. All of a destroyed object do. */
function attributesOf(change: Change | undefined): readonly string[] {
  if (String(change?.actions) === "delete") return [];
  const [before, after, unknown] = [change?.before, change?.after, change?.after_unknown].map(
    (each) => leaves(each),
  );
  const paths = new Set([before, after, unknown].flatMap((each) => [...(each?.keys() ?? [])]));
  const found = [...paths].filter(
    (path) => before?.get(path) !== after?.get(path) || unknown?.has(path) === true,
  );
  return [...new Set(found.map((path) => path.split(".")[1] ?? ""))].toSorted();
}

/**
 * Returns the differences of a plan from that of Terraform.
 *
 * @param noteUnknown called with the attribute of each value that only Terraform knows, which is no difference
 */
export function differencesOf(
  theirs: JsonPlan,
  ours: OfflinePlan,
  noteUnknown: (attribute: string) => void,
): readonly string[] {
  const found: string[] = [];
  for (const [key, their, our] of pairsOf(theirs, ours)) {
    if (JSON.stringify(facts(their)) !== JSON.stringify(facts(our))) {
      found.push(
        `${key}: ${JSON.stringify(facts(their))} but we say ${JSON.stringify(facts(our))}`,
      );
    } else if (their !== undefined && our !== undefined) {
      found.push(...valueDifferences(key, their.change, our.change, noteUnknown));
    }
  }
  for (const [name, their] of Object.entries(theirs.output_changes ?? {})) {
    const our = ours.outputChanges[name];
    if (our === undefined) found.push(`output ${name}: missing`);
    else {
      if (String(their.actions) !== String(our.actions)) {
        found.push(`output ${name}: ${String(their.actions)} but we say ${String(our.actions)}`);
      }
      found.push(...valueDifferences(`output ${name}`, their, our, noteUnknown));
    }
  }
  return found;
}

type Change = JsonResourceChange["change"];

/** Known values must be the same. */
function valueDifferences(
  key: string,
  theirs: Change,
  ours: Change,
  noteUnknown: (attribute: string) => void,
): readonly string[] {
  const found: string[] = [];
  const sides = [
    ["before", leaves(theirs.before), leaves(ours.before)],
    ["after", leaves(theirs.after), leaves(ours.after)],
  ] as const;
  const unknown = leaves(ours.after_unknown);
  const theirUnknown = leaves(theirs.after_unknown);
  for (const [side, left, right] of sides) {
    for (const path of new Set([...left.keys(), ...right.keys()])) {
      const [their, our] = [left.get(path) ?? "null", right.get(path) ?? "null"];
      if (their === our) continue;
      const isOpen = side === "after" && isCovered(path, unknown);
      const isOpenThere = side === "after" && isCovered(path, theirUnknown);
      if (isOpen && !isOpenThere) {
        noteUnknown(`${key.replace(/\..*/, "")}${path}`);
      } else if (!(isOpen && isOpenThere)) {
        found.push(`${key} ${side}${path}: ${their} but we say ${our}`);
      }
    }
  }
  const known = [...theirUnknown.keys()].filter((path) => !isCovered(path, unknown));
  if (known.length > 0) found.push(`${key}: we know ${known.join(", ")}`);
  const marks = (change: Change) => [...leaves(change.after_sensitive).keys()].sort();
  const [theirMarks, ourMarks] = [marks(theirs), marks(ours)];
  // Terraform loses the marks of ignored attributes when it replaces their resource.
  const usual = isReplaced(ours) ? ourMarks.filter((path) => theirMarks.includes(path)) : ourMarks;
  if (String(theirMarks) !== String(usual)) {
    found.push(`${key}: sensitive ${String(theirMarks)} but we say ${String(ourMarks)}`);
  }
  return found;
}

const isReplaced = ({ actions }: Change): boolean => actions.length > 1;

/** The leaves of a JSON value by their paths, without what is false or null. */
function leaves(value: unknown, path = ""): Map<string, string> {
  if (value === null || value === undefined || value === false) return new Map();
  if (typeof value !== "object") return new Map([[path, JSON.stringify(value)]]);
  return new Map(
    Object.entries(value).flatMap(([name, part]) => [...leaves(part, `${path}.${name}`)]),
  );
}

function isCovered(path: string, marks: ReadonlyMap<string, string>): boolean {
  const steps = path.split(".");
  return steps.some((_, at) => marks.has(steps.slice(0, at + 1).join(".")));
}
