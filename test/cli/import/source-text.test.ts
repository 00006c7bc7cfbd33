import fc from "fast-check";
import * as estree from "prettier/plugins/estree";
import * as typescript from "prettier/plugins/typescript";
import { format } from "prettier/standalone";
import { type Code, constructText, stringCode } from "../../../src/cli/import/source-text";

const text = fc.oneof(
  fc.string({ maxLength: 90 }),
  fc.constantFrom(
    'a "b" c',
    "it's",
    `"'`,
    "line\nbreak",
    "\\",
    "projects/acme/global/networks/main",
  ),
);
const number: fc.Arbitrary<Code> = fc
  .integer()
  .map((value) => ({ kind: "text", text: String(value) }));
const string: fc.Arbitrary<Code> = text.map(stringCode);
const scalar = fc.oneof(
  string,
  number,
  fc.constantFrom<Code>({ kind: "text", text: "true" }, { kind: "text", text: "12n" }),
);
const key = fc.oneof(fc.stringMatching(/^[a-z]{1,12}$/), fc.stringMatching(/^[a-z]-[a-z/ ]{1,8}$/));
const { value } = fc.letrec<{ value: Code }>((tie) => {
  const array = fc.oneof(
    fc.array(string, { maxLength: 6 }),
    fc.array(number, { maxLength: 30 }),
    fc.array(tie("value"), { maxLength: 3 }),
  );
  return {
    value: fc.oneof(
      { depthSize: "small" },
      scalar,
      array.map((elements): Code => ({ kind: "array", elements })),
      fc
        .uniqueArray(fc.tuple(key, tie("value")), { maxLength: 4, selector: ([name]) => name })
        .map((members): Code => ({ kind: "object", members })),
    ),
  };
});

const members = fc.uniqueArray(fc.tuple(key, value), {
  minLength: 1,
  maxLength: 5,
  selector: ([name]) => name,
});

it("formats constructs as Prettier does", async () => {
  const id = fc.oneof(fc.constantFrom("edge", "x".repeat(70)), fc.stringMatching(/^[a-z]{1,60}$/));
  const from = fc.stringMatching(/^[a-z/]{1,90}$/);
  await fc.assert(
    fc.asyncProperty(members, id, from, async (given, name, importId) => {
      const made = constructText("ids.Endpoint", name, given, importId);
      const source = `function add(scope) {\n${made}}\n`;
      expect(source).toBe(
        await format(source, {
          parser: "typescript",
          plugins: [estree, typescript],
        }),
      );
    }),
    { numRuns: 500 },
  );
});
