import { isDeepStrictEqual } from "node:util";
import { isObject, isRecord } from "../../core/json/plain-json";
import {
  masked,
  type Marked,
  marksAnything,
  membersOf,
  partOf,
  union,
  valueText,
} from "./masked-value";
import type { PlannedChange } from "./plan-document";

export interface AttributeChange {
  /** Such as `labels.team` or `option[0].name`. */
  readonly path: string;
  readonly action: "add" | "change" | "remove";
  /** With placeholders for sensitive values. Undefined for an added attribute. */
  readonly before: unknown;
  /** With placeholders for sensitive and unknown values. Undefined for a removed attribute. */
  readonly after: unknown;
  readonly forcesReplacement: boolean;
}

/** Longer values are shown member by member. */
const shortCharacters = 60;

/** Returns the changes that a plan makes in a resource, by attribute, without invisible differences. */
export function attributeChanges(change: PlannedChange): readonly AttributeChange[] {
  const forcing = change.replacePaths.map((path) => path.reduce(pathTo, ""));
  // If a value is sensitive on one side, it is hidden on both.
  const sensitive = union([change.beforeSensitive, change.afterSensitive]);
  return differences("", {
    before: { value: change.before, sensitive },
    after: { value: change.after, sensitive, unknown: change.afterUnknown },
  }).map((found) => ({
    ...found,
    forcesReplacement: forcing.some(
      (path) => isWithin(found.path, path) || isWithin(path, found.path),
    ),
  }));
}

type Difference = Omit<AttributeChange, "forcesReplacement">;

interface Sides {
  readonly before: Marked;
  readonly after: Marked;
}

function differences(path: string, sides: Sides): readonly Difference[] {
  const { before, after } = sides;
  if (!isDifferent(sides)) return [];
  const isHidden = before.sensitive === true || after.sensitive === true;
  if (!isHidden && after.unknown !== true) {
    const parts = partsOf(path, sides);
    if (parts !== undefined) return parts.flatMap(([part, both]) => differences(part, both));
  }
  const isAdded = isAbsent(before.value);
  const isRemoved = isAbsent(after.value) && !marksAnything(after.unknown);
  if (isAdded && isEmpty(after)) return [];
  const isWhole = isHidden || (isMoving(sides) && marksAnything(before.sensitive));
  const shown = (side: Marked): unknown => masked(isWhole ? { ...side, sensitive: true } : side);
  const changed = isRemoved ? "remove" : "change";
  return [
    {
      path,
      action: isAdded ? "add" : changed,
      before: isAdded ? undefined : shown(before),
      after: isRemoved ? undefined : shown(after),
    },
  ];
}

/** Returns the parts to compare with each other; undefined if the values are shown as a whole. */
function partsOf(
  path: string,
  { before, after }: Sides,
): readonly (readonly [string, Sides])[] | undefined {
  const both = [before, after].filter(({ value }) => !isAbsent(value));
  const isWhole =
    path !== "" &&
    both.length === 1 &&
    both.every((each) => valueText(masked(each)).length <= shortCharacters);
  if (isWhole) return undefined;
  if (both.length > 0 && both.every(({ value }) => isObject(value))) {
    const names = membersOf(before.value, after.value, after.unknown);
    return names.map((name) => [
      pathTo(path, name),
      { before: partOf(before, name), after: partOf(after, name) },
    ]);
  }
  if (both.length === 2 && both.every(({ value }) => isListOfObjects(value))) {
    return elementsOf(path, before, after);
  }
  return undefined;
}

/** Returns the elements of lists: by position if the lists have the same length, else the elements of only one list. */
function elementsOf(
  path: string,
  before: Marked,
  after: Marked,
): readonly (readonly [string, Sides])[] {
  // Elements can move, so what is sensitive in one is hidden in all.
  const marks = [before, after].flatMap((list) => elements(list).map((each) => each.sensitive));
  const sensitive = union(marks);
  const hidden = (list: Marked): readonly Marked[] =>
    elements(list).map((element) => ({ ...element, sensitive }));
  const [left, right] = [hidden(before), hidden(after)];
  const none: Marked = { value: undefined, sensitive: undefined };
  if (left.length === right.length) {
    return left.map((each, at) => [pathTo(path, at), { before: each, after: right[at] ?? none }]);
  }
  const isIn = (element: Marked, others: readonly Marked[]): boolean =>
    others.some(
      (other) => isDeepStrictEqual(other.value, element.value) && !marksAnything(other.unknown),
    );
  return [
    ...left.flatMap((each, at) =>
      isIn(each, right) ? [] : [[pathTo(path, at), { before: each, after: none }] as const],
    ),
    ...right.flatMap((each, at) =>
      isIn(each, left) && !marksAnything(each.unknown)
        ? []
        : [[pathTo(path, at), { before: none, after: each }] as const],
    ),
  ];
}

const elements = (list: Marked): readonly Marked[] =>
  Array.isArray(list.value) ? list.value.map((_, at) => partOf(list, at)) : [];

const isListOfObjects = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isObject);

const isDifferent = ({ before, after }: Sides): boolean =>
  marksAnything(after.unknown) || !isDeepStrictEqual(before.value ?? null, after.value ?? null);

/** Checks for lists, whose elements can move away from their marks. */
const isMoving = ({ before, after }: Sides): boolean =>
  Array.isArray(before.value) && Array.isArray(after.value);

const isAbsent = (value: unknown): boolean => value === null || value === undefined;

/** Checks for null and empty values. Omitted blocks are empty lists. */
const isEmpty = ({ value, unknown }: Marked): boolean =>
  !marksAnything(unknown) &&
  (isAbsent(value) || (isRecord(value) && Object.keys(value).length === 0));

function pathTo(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}[${key}]`;
  if (!/^[\w-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}

/** Checks for the same path, or one below it. */
export const isWithin = (path: string, whole: string): boolean =>
  path === whole || path.startsWith(`${whole}.`) || path.startsWith(`${whole}[`);
