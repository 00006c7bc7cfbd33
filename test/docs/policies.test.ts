import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { parsePolicies } from "../../src/core/signing/policy/parse/parse-policies";
import { formatProblem } from "../../src/core/signing/policy/parse/policy-fields";
import { root } from "./page";

const text = readFileSync(join(root, "docs/guide/policies.md"), "utf8");

const accepted = [...text.matchAll(/^```yaml accepted\n([^]*?)^```$/gm)].map(([, yaml]) => yaml);
const [example = ""] = accepted;

/** Rows with a path in `spec`, a value for it, and the message for that value. */
const refused = text.split("\n").flatMap((line) => {
  const [, path, value, message] = /^\| `([\w.[\]]+): (.+?)` +\| `(.+)` +\|$/.exec(line) ?? [];
  return path === undefined || value === undefined || message === undefined
    ? []
    : [{ path, value, message }];
});

type Holder = Record<string, unknown>;

/** The example with a value at a path. Missing parents are created. */
function withValue(path: string, value: unknown): string {
  const policy = parse(example) as { spec: Holder };
  const steps = path.split(/[.[\]]+/).filter((step) => step !== "");
  const last = steps.pop() ?? "";
  let at: Holder = policy.spec;
  for (const [index, step] of steps.entries()) {
    at[step] ??= /^\d+$/.test(steps[index + 1] ?? last) ? [] : {};
    at = at[step] as Holder;
  }
  at[last] = value;
  return JSON.stringify(policy);
}

const problemsOf = (policy: string): string[] => {
  const parsed = parsePolicies(policy);
  return "problems" in parsed ? parsed.problems.map(formatProblem) : [];
};

test("the page has policies, and rows of refused values", () => {
  expect(accepted).toHaveLength(6);
  expect(refused.length).toBeGreaterThan(20);
});

test.each(accepted)("a policy of the page is accepted", (policy = "") => {
  expect(parsePolicies(policy)).toMatchObject({ warnings: [] });
});

test.each(refused)("$path: $value is refused with the message of the page", (row) => {
  const problems = problemsOf(withValue(row.path, parse(row.value) as unknown));
  expect(problems.join("\n")).toContain(row.message);
});
