import { Fn, TerraformStack, TerraformVariable, Testing, Token } from "cdktf";
import fc from "fast-check";
import { isPlain } from "../../../../src/core/construct/check/check-values";

const variable = new TerraformVariable(new TerraformStack(Testing.app(), "Demo"), "variable", {});

/** Everything that Terraform reads in another way than it is written. */
const special: readonly unknown[] = [
  variable.stringValue,
  `at ${variable.stringValue}:1`,
  variable.stringValue.slice(1, -1),
  variable.stringValue.slice(0, -3),
  variable.stringValue.toLowerCase(),
  variable.numberValue,
  -variable.numberValue,
  variable.numberValue * 3,
  String(variable.numberValue),
  variable.listValue,
  variable.listValue[0],
  Token.asNumberList(variable.value),
  Token.asNumberList(variable.value)[0],
  Token.asStringMap(variable.value),
  Object.values(Token.asStringMap(variable.value))[0],
  Object.values(Token.asNumberMap(variable.value))[0],
  Object.values(Token.asAnyMap(variable.value))[0],
  Fn.upper("a"),
  Fn.tobool("true"),
  variable,
  { resolve: () => "a" },
  "${var.variable}",
  "$${literal}",
  "%{if true}a%{endif}",
  { "//": "a comment" },
  { ["__proto__"]: "left out" },
  { "${var.variable}": "a" },
  new Date(0),
];

const plain = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }).map((text) => text.replaceAll("{", "")),
  fc.integer({ min: -1_000_000 }),
  fc.double({ min: -1e200, max: 1e200, noNaN: true }),
  fc.boolean(),
  fc.constantFrom(null, undefined, 7n),
);

/** A value in one of the places of a list or map, at any depth. */
const around = (inner: unknown): fc.Arbitrary<unknown> =>
  fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constant(inner),
      fc
        .tuple(fc.array(plain, { maxLength: 3 }), tie("value"))
        .map(([list, each]) => [...list, each]),
      fc
        .tuple(
          fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), plain, { maxKeys: 3 }),
          tie("value"),
        )
        .map(([map, each]) => ({ ...map, z: each })),
    ),
  })).value;

test("values without anything special are plain, at any depth", () => {
  fc.assert(fc.property(plain.chain(around), (value) => isPlain(value)));
});

test.each(special.map((each, index) => [index, each] as const))(
  "what is special is found at any depth (%i)",
  (_, each) => {
    fc.assert(
      fc.property(around(each), (value) => !isPlain(value)),
      { numRuns: 30 },
    );
  },
);
