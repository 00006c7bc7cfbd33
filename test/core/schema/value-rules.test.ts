import fc from "fast-check";
import { zod } from "../../../src/core/schema/value-rule";
import type { Declaration, Fields, ValueRule } from "../../../src/core/schema";
import type { Type } from "../../../src/core/schema/type";
import { provider as ids } from "../../../src/core/ids/provider-definition";
import { provider as signing } from "../../../src/core/signing/provider-definition";
import { provider as workspace } from "../../../src/core/workspace/provider-definition";

interface Ruled {
  readonly name: string;
  readonly rule: ValueRule;
}

function rulesOf(name: string, type: Type): Ruled[] {
  const inside = "of" in type ? rulesOf(`${name}[]`, type.of) : [];
  if (type.kind === "object") inside.push(...rulesIn(name, type.fields));
  return type.rule === undefined ? inside : [{ name, rule: type.rule }, ...inside];
}

function rulesIn(name: string, { attributes, blocks = {} }: Fields): Ruled[] {
  return [
    ...Object.entries(attributes).flatMap(([inner, { type }]) => rulesOf(`${name}.${inner}`, type)),
    ...Object.entries(blocks).flatMap(([inner, { fields }]) => rulesIn(`${name}.${inner}`, fields)),
  ];
}

interface Declared {
  readonly declaration: Declaration;
}

interface Offer extends Declared {
  readonly resources: readonly Declared[];
  readonly dataSources?: readonly Declared[] | undefined;
  readonly ephemeralResources?: readonly Declared[] | undefined;
}

const declarationsOf = (provider: Offer): readonly Declaration[] =>
  [
    provider,
    ...provider.resources,
    ...(provider.dataSources ?? []),
    ...(provider.ephemeralResources ?? []),
  ].map(({ declaration }) => declaration);

const declarations = [
  ...declarationsOf(ids),
  ...declarationsOf(signing),
  ...declarationsOf(workspace),
];

const ruled = declarations.flatMap((each) => rulesIn(each.type, each));

/** At least one of them is valid for each rule. */
const examples: readonly unknown[] = [
  "90s",
  "0",
  "a",
  "* 9-18 * * 1-5",
  "@every 5m",
  "Europe/Paris",
  "env://KEY",
  "12345678-1234-4123-8123-123456789012",
  "linux/amd64",
  "example.com",
  "https://example.com/v1/",
  "projects/p/global/networks/n",
  "0".repeat(64),
  "{}",
  "~/.ssh",
  "module.tools",
  `a/b@sha256:${"0".repeat(64)}`,
  "me@example.com",
  80,
  7200,
  ["linux/amd64"],
  { team: "network" },
];

const text = fc.string({ maxLength: 70, size: "max" });

/** Strings that resemble valid ones, and values of other types. */
const value = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[a-zA-Z\d:/@._~*% {}#?=,+-]{0,40}$/) },
  fc.constantFrom(...examples),
  fc.constantFrom("", "[]", "%zz", "-a", "a-", "1h30", "europe/paris", null, undefined),
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.integer({ min: -2, max: 40_000_000 }),
  fc.array(text, { maxLength: 120, size: "max" }),
  fc.dictionary(text, text, { maxKeys: 70, size: "max" }),
  fc.dictionary(
    fc.stringMatching(/^[a-z_]{1,8}$/),
    fc.oneof(fc.stringMatching(/^[a-z]{0,8}$/), fc.nat()),
  ),
);

describe("what a rule accepts without its zod schema, the schema accepts too", () => {
  const rules = [...new Map(ruled.map(({ name, rule }) => [rule, { name, rule }])).values()];
  const quick = rules.filter(({ rule }) => rule.accepts !== undefined);

  test.each(quick)("$name", ({ rule }) => {
    const schema = rule.schema(zod());
    const isAccepted = (each: unknown): boolean => rule.accepts?.(each) === true;
    expect(examples.some(isAccepted)).toBe(true);
    fc.assert(
      fc.property(value, (each) => !isAccepted(each) || schema.safeParse(each).success),
      { numRuns: 400, examples: examples.map((each) => [each]) },
    );
  });

  test("and nearly all rules accept valid values", () => {
    expect(quick.length / rules.length).toBeGreaterThan(0.8);
  });
});
