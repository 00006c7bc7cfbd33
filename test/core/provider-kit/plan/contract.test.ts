// Terraform's contract, on random schemas, configurations with unknown values, and plan handlers at any depth. What
// judges the plans shares no code with what makes them.
import * as fc from "fast-check";
import { isRecord } from "../../../../src/core/json/plain-json";
import { ctyTypeOf } from "../../../../src/core/provider-kit/plan/cty-type";
import type { ModifyPlan } from "../../../../src/core/provider-kit/plan/plan-change";
import { WireValues } from "../../../../src/core/provider-kit/testing";
import { planProblems } from "../../../../src/core/provider-kit/core/plan-problems";
import { resultProblems } from "../../../../src/core/provider-kit/core/result-problems";
import {
  type Attribute,
  type Declaration,
  type Fields,
  type Path,
  type Type,
  UNKNOWN,
} from "../../../../src/core/schema";
import { sample } from "../../../all-tests";
import { asText, configOf, declaration, laterConfigOf } from "./arbitrary";
import { apply, isSame, plan, valueAt, type Values } from "./planning";
import { unknownPath } from "../../../../src/core/provider-kit/cty/value";

/** Answers yes or no, always the same for the same text: about one time in `odds`. */
type Choice = (text: string, odds: number) => boolean;

const choiceOf =
  (seed: number): Choice =>
  (text, odds) => {
    let hash = seed;
    for (const character of text)
      hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619);
    return (hash >>> 8) % odds === 0;
  };

/** The configuration during the plan: some values are not known yet, at any depth. */
function hidden(
  { attributes, blocks = {} }: Fields,
  config: Values,
  choose: Choice,
  at = "",
): Values {
  const values: Record<string, unknown> = { ...config };
  for (const [name, { type, presence }] of Object.entries(attributes)) {
    if (presence === "computed") continue;
    values[name] = choose(`${at}.${name}`, 5)
      ? UNKNOWN
      : hiddenIn(type, config[name], choose, `${at}.${name}`);
  }
  for (const [name, { nesting, fields }] of Object.entries(blocks)) {
    const here = `${at}.${name}`;
    const inside = (value: unknown, step: string): unknown =>
      isRecord(value) ? hidden(fields, value, choose, `${here}${step}`) : value;
    if (choose(here, 8)) values[name] = UNKNOWN;
    else if (nesting === "single") values[name] = inside(config[name], "");
    else values[name] = elements(config[name], (each, key) => inside(each, `[${key}]`));
  }
  return values;
}

function hiddenIn(type: Type, value: unknown, choose: Choice, at: string): unknown {
  if (!isRecord(value)) return value;
  if (type.kind === "object") return hidden(type.fields, value, choose, at);
  if (!("of" in type)) return value;
  return elements(value, (each, key) =>
    choose(`${at}[${key}]`, 6) ? UNKNOWN : hiddenIn(type.of, each, choose, `${at}[${key}]`),
  );
}

function elements(value: unknown, convert: (each: unknown, key: string) => unknown): unknown {
  if (Array.isArray(value))
    return value.map((each: unknown, index) => convert(each, String(index)));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, convert(each, key)]));
}

/** Where a handler sets values. */
interface Place {
  readonly path: string;
  readonly isInSet: boolean;
}

const root: Place = { path: "", isInSet: false };

/**
 * What a handler sets: some of the values that a provider may set, always the same at the same place. An element of a
 * set has no place, so there it depends on what is configured.
 */
function decided(
  { attributes, blocks = {} }: Fields,
  config: Values,
  choose: Choice,
  place: Place = root,
): Values {
  const values: Record<string, unknown> = {};
  for (const [name, attribute] of Object.entries(attributes)) {
    const inner = { ...place, path: `${place.path}.${name}` };
    const given = config[name] ?? null;
    if (canSet(attribute, given, place)) {
      if (!choose(inner.path, 2)) continue;
      values[name] = valueAt(ctyTypeOf({ attributes }), name, inner.path.length);
    } else values[name] = decidedIn(attribute.type, given, choose, inner);
  }
  for (const [name, { nesting, fields }] of Object.entries(blocks)) {
    const given = config[name];
    const inner = { ...place, path: `${place.path}.${name}` };
    if (!isRecord(given) || !choose(`${inner.path}!`, 2)) continue;
    values[name] =
      nesting === "single"
        ? decided(fields, given, choose, inner)
        : decidedElements(nesting === "set", fields, given, choose, inner);
  }
  return values;
}

/** Elements of a set are matched with the state by their defaults, so a handler cannot set these. */
const canSet = (attribute: Attribute, given: unknown, { isInSet }: Place): boolean =>
  attribute.presence === "computed" ||
  (attribute.presence === "optionalComputed" &&
    given === null &&
    (!isInSet || attribute.default === undefined));

function decidedIn(type: Type, given: unknown, choose: Choice, place: Place): unknown {
  if (!isRecord(given)) return undefined;
  if (type.kind === "object") return decided(type.fields, given, choose, place);
  if (!("of" in type) || type.of.kind !== "object") return undefined;
  return decidedElements(type.kind === "set", type.of.fields, given, choose, place);
}

function decidedElements(
  isSet: boolean,
  fields: Fields,
  given: Values,
  choose: Choice,
  { path, isInSet }: Place,
): unknown {
  return elements(given, (each, key) => {
    if (!isRecord(each) || (isSet && unknownPath(each) !== undefined)) return undefined;
    const step = isSet ? asText(each) : key;
    return decided(fields, each, choose, { path: `${path}[${step}]`, isInSet: isSet || isInSet });
  });
}

/** Paths that exist in a declaration: the handler replaces for some of them. */
function paths(fields: Fields, choose: Choice): Path[] {
  return Object.keys({ ...fields.attributes, ...fields.blocks })
    .filter((name) => choose(`replace ${name}`, 3))
    .map((name) => [name]);
}

const scenes = declaration.chain((declared) =>
  configOf(declared).chain((one) =>
    fc.tuple(
      fc.constant(declared),
      fc.constant(one),
      laterConfigOf(declared, one),
      fc.integer(),
      fc.integer(),
    ),
  ),
);

function handlerOf(declared: Declaration, config: Values, choose: Choice): ModifyPlan {
  return (_drafted, requireReplace) => {
    paths(declared, choose).forEach(requireReplace);
    return decided(declared, config, choose);
  };
}

const runs = { numRuns: sample(20_000, 1500), seed: 20261126 };

/**
 * Plans with unknown values, plans again when everything is known, and applies, as Terraform does. Everything on the way
 * must be what Terraform accepts.
 */
async function deployed(
  declared: Declaration,
  config: Values,
  prior: Values | undefined,
  hide: Choice,
  choose: Choice,
): Promise<Values> {
  const values = new WireValues(declared);
  const { schema } = values;
  const open = values.fill(hidden(declared, config, hide));
  const first = await plan(declared, open, prior, handlerOf(declared, open, choose));
  expect(planProblems(schema, prior ?? null, open, first.planned)).toEqual([]);
  const final = await plan(declared, config, prior, handlerOf(declared, config, choose));
  expect(planProblems(schema, prior ?? null, config, final.planned)).toEqual([]);
  expect(resultProblems(schema, first.planned, final.planned)).toEqual([]);
  const result = apply(declared, final.planned);
  expect(unknownPath(result)).toBeUndefined();
  return result;
}

test("plans with unknown values and decisions at any depth are valid, and consistent with the final plan", async () => {
  let unknowns = 0;
  let decisions = 0;
  await fc.assert(
    fc.asyncProperty(scenes, async ([declared, one, two, hiding, choosing]) => {
      const [hide, choose] = [choiceOf(hiding), choiceOf(choosing)];
      const created = await deployed(declared, one, undefined, hide, choose);
      await deployed(declared, two, created, hide, choose);
      if (unknownPath(hidden(declared, two, hide)) !== undefined) unknowns += 1;
      if (/given|\d|true/.test(asText(decided(declared, two, choose)))) decisions += 1;
    }),
    runs,
  );
  // The corpus must contain what it is about.
  expect(unknowns).toBeGreaterThan(runs.numRuns / 4);
  expect(decisions).toBeGreaterThan(runs.numRuns / 4);
});

test("what a handler has set at any depth is no change when it is planned again", async () => {
  await fc.assert(
    fc.asyncProperty(scenes, async ([declared, one, two, hiding, choosing]) => {
      const [hide, choose] = [choiceOf(hiding), choiceOf(choosing)];
      const created = await deployed(declared, one, undefined, hide, choose);
      const updated = await deployed(declared, two, created, hide, choose);
      const again = await plan(declared, two, updated, handlerOf(declared, two, choose));
      expect(isSame(declared, again.planned, updated)).toBe(true);
      expect(again.replaces).toEqual([]);
    }),
    // In one of 10,000 plans, an element of a set gets what another one had before: the handler decides later than that.
    { ...runs, numRuns: 1500 },
  );
});

const lowerCase = (value: unknown): string => asText(value).toLowerCase();

/** The same declaration, in which values outside of sets mean the same in any case, also lists, maps and objects. */
function inAnyCase<F extends Fields>(fields: F): F {
  const { attributes, blocks = {} } = fields;
  const each = (attribute: Attribute): Attribute => ({
    ...attribute,
    type: typeInAnyCase(attribute.type),
    ...(attribute.type.kind !== "set" && {
      semanticEquals: (one: unknown, other: unknown) => lowerCase(one) === lowerCase(other),
    }),
  });
  return {
    ...fields,
    attributes: Object.fromEntries(
      Object.entries(attributes).map(([name, attribute]) => [name, each(attribute)]),
    ),
    blocks: Object.fromEntries(
      Object.entries(blocks).map(([name, block]) => [
        name,
        block.nesting === "set" ? block : { ...block, fields: inAnyCase(block.fields) },
      ]),
    ),
  };
}

function typeInAnyCase(type: Type): Type {
  if (type.kind === "object") return { ...type, fields: inAnyCase(type.fields) };
  if (!("of" in type) || type.kind === "set") return type;
  return { ...type, of: typeInAnyCase(type.of) };
}

/** The same values, with some of the strings in upper case. */
function inOtherCase(value: unknown, choose: Choice, at = ""): unknown {
  if (typeof value === "string") return choose(`case ${at}`, 2) ? value.toUpperCase() : value;
  if (!isRecord(value) || typeof value === "bigint") return value;
  return elements(value, (each, key) => inOtherCase(each, choose, `${at}.${key}`));
}

/** Elements of sets have no place, so a value of theirs cannot be compared with an earlier one. */
const scenesWithoutSets = scenes.filter(([declared]) => !asText(declared).includes('"set"'));

test("values that mean the same are planned in one way, whether parts of them are known or not", async () => {
  let partly = 0;
  await fc.assert(
    fc.asyncProperty(scenesWithoutSets, async ([plain, one, , hiding, choosing]) => {
      const declared = inAnyCase(plain);
      const [hide, choose] = [choiceOf(hiding), choiceOf(choosing)];
      const never: Choice = () => false;
      const created = await deployed(declared, one, undefined, never, never);
      const two = inOtherCase(one, choose) as Values;
      await deployed(declared, two, created, hide, never);
      if (unknownPath(hidden(declared, two, hide)) !== undefined) partly += 1;
    }),
    { ...runs, numRuns: 2000 },
  );
  expect(partly).toBeGreaterThan(500);
});
