import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convert } from "../../../src/planner/expression/convert";
import { jsonText } from "../../../src/planner/expression/functions/json";
import { parseTypeConstraint } from "../../../src/planner/offline-plan/type-constraint";
import { literalValue } from "../../../src/planner/offline-plan/body";

const inner =
  'object({ size = optional(number, 5), name = optional(string), on = optional(bool, "true") })';

/** Types of variables, each with a default value. */
const cases: readonly (readonly [type: string, value: unknown])[] = [
  [inner, {}],
  [inner, { size: 1, name: "a", on: false }],
  [inner, { size: null, other: 1 }],
  [`list(${inner})`, [{}, { size: "2" }, null]],
  [`set(${inner})`, [{ name: "b" }, { name: "a" }]],
  [`map(${inner})`, { a: {}, b: { name: "x" } }],
  [`tuple([string, ${inner}])`, ["a", {}]],
  [`object({ part = optional(${inner}, {}) })`, {}],
  [`object({ part = optional(${inner}) })`, {}],
  [`object({ part = optional(${inner}, { size = 7 }) })`, { part: null }],
  [`object({ part = optional(${inner}, { size = 7 }) })`, { part: { on: null } }],
  [`object({ parts = optional(list(${inner}), [{}]), all = optional(any, ["x"]) })`, {}],
  ['object({ a = string, b = optional(string, "x") })', { a: "1" }],
  ["list(any)", ["a", 1]],
];

test("a variable has the defaults of its optional attributes, as in Terraform", () => {
  const folder = mkdtempSync(join(tmpdir(), "trivet-variables-"));
  try {
    const variable = Object.fromEntries(
      cases.map(([type, value], at) => [`v${at}`, { type, default: value }]),
    );
    writeFileSync(join(folder, "main.tf.json"), JSON.stringify({ variable }));
    const names = cases.map((_, at) => `jsonencode(var.v${at})`).join(", ");
    const printed = execFileSync("terraform", ["console"], {
      cwd: folder,
      env: { ...process.env, CHECKPOINT_DISABLE: "1" },
      encoding: "utf8",
      input: `base64encode(jsonencode([${names}]))\n`,
      stdio: "pipe",
    });
    const expected = JSON.parse(Buffer.from(printed, "base64").toString()) as readonly string[];
    const own = cases.map(([type, value]) => {
      const constraint = parseTypeConstraint(type);
      return jsonText(convert(constraint.withDefaults(literalValue(value)), constraint.type));
    });
    expect(own).toEqual(expected);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
