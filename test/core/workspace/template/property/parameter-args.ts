import * as fc from "fast-check";
import type { Args } from "../../tables";
import { freeText } from "./text";
import { withoutUndefined } from "./valid-args";
import { patterns } from "./valid-value";

/** The parts of a parameter that must match, and values that it accepts. */
interface SoundParameter {
  readonly args: Args;
  readonly accepts: readonly string[];
}

const { boolean, constantFrom, option, tuple, uniqueArray } = fc;

const maybe = <Value>(value: fc.Arbitrary<Value>) => option(value, { nil: undefined });

interface Kind {
  readonly type: string;
  readonly formTypes: readonly [free: readonly string[], chosen: readonly string[]];
  /** A validation block, if any, and strings of the type that satisfy it. */
  readonly rules: fc.Arbitrary<{
    readonly validation: Args | undefined;
    readonly text: fc.Arbitrary<string>;
  }>;
}

const error = maybe(freeText);
const unruled = (text: fc.Arbitrary<string>) => fc.constant({ validation: undefined, text });
const listText = fc.array(freeText, { maxLength: 3 }).map((list) => JSON.stringify(list));

const bounds = tuple(fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }), fc.bigInt(0n, 2n ** 62n));
const smallBounds = tuple(fc.bigInt(-9n, 99n), fc.bigInt(0n, 50n));

/** A number that the platform accepts: a `bigint` only outside the range of a `number`. */
const whole = (value: bigint): number | bigint =>
  value === BigInt(Number(value)) && Number.isSafeInteger(Number(value)) ? Number(value) : value;

const numberRules = tuple(
  fc.oneof(smallBounds, bounds),
  fc.record({ min: boolean(), max: boolean() }),
  maybe(constantFrom("increasing", "decreasing")),
  error,
).map(([[least, size], given, monotonic, text]) => ({
  validation: withoutUndefined({
    min: given.min ? whole(least) : undefined,
    max: given.max ? whole(least + size) : undefined,
    monotonic,
    error: text,
  }),
  text: fc.bigInt(least, least + size).map(String),
}));

const decimal = fc.oneof(
  fc.integer().map(String),
  constantFrom("0.50", "-1.5e3", "+7", "007", ".5", "1."),
);

const kinds: readonly Kind[] = [
  {
    type: "string",
    formTypes: [
      ["input", "textarea"],
      ["radio", "dropdown"],
    ],
    rules: fc.oneof(
      unruled(freeText),
      tuple(constantFrom(...patterns), freeText).map(([[regex, found], message]) => ({
        validation: { regex, error: `x${message}` },
        text: constantFrom(found),
      })),
    ),
  },
  {
    type: "number",
    formTypes: [
      ["input", "slider"],
      ["radio", "dropdown"],
    ],
    rules: fc.oneof(unruled(decimal), numberRules),
  },
  {
    type: "bool",
    formTypes: [
      ["checkbox", "switch"],
      ["radio", "dropdown"],
    ],
    rules: fc.oneof(
      unruled(constantFrom("1", "t", "TRUE", "true", "False", "f", "0")),
      error.map((message) => ({
        validation: withoutUndefined({ error: message }),
        text: constantFrom("true", "false"),
      })),
    ),
  },
  {
    type: "list(string)",
    formTypes: [["tag-select"], ["radio", "multi-select"]],
    rules: fc.oneof(unruled(listText), unruled(constantFrom("null", " [ ] ", '["a"]'))),
  },
];

/** A parameter of any type, with any form control. */
export const soundParameter: fc.Arbitrary<SoundParameter> = fc
  .constantFrom(...kinds)
  .chain((kind) => kind.rules.chain(({ validation, text }) => parameterOf(kind, validation, text)));

function parameterOf(
  { type, formTypes: [free, chosen] }: Kind,
  validation: Args | undefined,
  text: fc.Arbitrary<string>,
): fc.Arbitrary<SoundParameter> {
  const common = fc.record({
    type: type === "string" ? maybe(constantFrom(type)) : constantFrom(type),
    validation: constantFrom(validation),
    hasDefault: boolean(),
    ephemeral: maybe(boolean()),
    mutable: maybe(boolean()),
  });
  const written = tuple(common, maybe(constantFrom(...free)), uniqueArray(text, { minLength: 1 }));
  const selected = common.chain((rest) =>
    maybe(constantFrom(...chosen)).chain((formType) => {
      const value = formType === "multi-select" ? freeText : text;
      return tuple(uniqueArray(value, { minLength: 1, maxLength: 3 }), labels).map(
        ([values, [names, details]]) => {
          const options = values.map((each, index) => ({
            name: `${names[index] ?? ""}${index}`,
            value: each,
            ...details,
          }));
          const several = [JSON.stringify(values), JSON.stringify(values.slice(1)), "[]"];
          const accepts = formType === "multi-select" ? several : values;
          return sound({ ...rest, formType, options }, accepts);
        },
      );
    }),
  );
  return fc.oneof(
    written.map(([rest, formType, accepts]) => sound({ ...rest, formType }, accepts)),
    selected,
  );
}

const labels = tuple(
  fc.array(freeText, { minLength: 3, maxLength: 3 }),
  fc.record({ description: freeText, icon: constantFrom("", "/icon/x.svg") }, { requiredKeys: [] }),
);

interface Parts extends Args {
  readonly hasDefault: boolean;
  readonly ephemeral: boolean | undefined;
  readonly mutable: boolean | undefined;
}

function sound(
  { hasDefault, ephemeral, mutable, ...rest }: Parts,
  accepts: readonly string[],
): SoundParameter {
  const args = withoutUndefined({
    ...rest,
    default: hasDefault || ephemeral === true ? accepts[0] : undefined,
    ephemeral,
    mutable: ephemeral === true ? true : mutable,
  });
  return { args, accepts };
}
