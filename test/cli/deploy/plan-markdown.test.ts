import MarkdownIt from "markdown-it";
import { planMarkdown } from "../../../src/cli/deploy/plan-markdown";
import type { StackResult } from "../../../src/cli/deploy/stack-result";
import type { Action, ResourceChange } from "../../../src/planner/changes/changes";

const change = (
  address: string,
  action: Action,
  values: Readonly<Record<string, unknown>> = {},
): ResourceChange => ({
  address,
  action,
  attributes: Object.entries(values).map(([path, after]) => ({
    path,
    action: "change",
    before: "old",
    after,
    forcesReplacement: action === "replace",
  })),
});

const planned = (name: string, ...resources: readonly ResourceChange[]): StackResult => {
  const count = (action: Action) => resources.filter((each) => each.action === action).length;
  const counts = {
    import: 0,
    create: count("create"),
    update: count("update"),
    replace: count("replace"),
    delete: count("delete"),
  };
  return { name, outcome: "planned", changes: { resources, outputs: [], counts }, diagnostics: [] };
};

/** The blocks that a reader of Markdown sees, as their type and content. */
const blocks = (text: string) =>
  new MarkdownIt({ html: true })
    .parse(text, {})
    .filter(({ type }) => ["fence", "html_block", "inline"].includes(type))
    .map(({ type, content }) => [type, content.trim()]);

it("shows what is destroyed and replaced first", () => {
  const text = planMarkdown([
    planned(
      "network",
      change("ids_endpoint.a", "create"),
      change("ids_endpoint.b", "update", { severity: "HIGH" }),
      change("ids_endpoint.c", "replace", { location: "x" }),
      change("ids_endpoint.d", "delete"),
    ),
    { name: "idle", outcome: "unchanged", diagnostics: [] },
  ]);
  expect(blocks(text)).toEqual([
    ["inline", "Plan: 1 to add, 1 to change, 1 to replace, 1 to destroy"],
    ["inline", "**2 resources are destroyed or replaced.**"],
    [
      "html_block",
      "<details><summary><b>network</b>: 1 to add, 1 to change, 1 to replace, 1 to destroy</summary>",
    ],
    [
      "fence",
      [
        "- ids_endpoint.c: is replaced",
        '!     location = "old" → "x" # forces replacement',
        "- ids_endpoint.d: is destroyed",
        "! ids_endpoint.b",
        '!     severity = "old" → "HIGH"',
        "+ ids_endpoint.a",
      ].join("\n"),
    ],
    ["html_block", "</details>"],
    ["inline", "No changes: idle"],
  ]);
});

it("says that nothing changes", () => {
  const idle = { name: "idle", outcome: "unchanged", diagnostics: [] } as const;
  expect(planMarkdown([idle])).toBe("### Plan: no changes\n");
});

it("shows failures, refusals and what was not run", () => {
  const error = { severity: "error", summary: "Bad", detail: "Very bad.", address: "a.b" } as const;
  const text = planMarkdown([
    { name: "one", outcome: "failed", diagnostics: [error] },
    { name: "two", outcome: "not run", because: "one", diagnostics: [] },
    { ...planned("three", change("a.b", "delete")), outcome: "refused", refused: ["a.b"] },
  ]);
  const found = blocks(text).map(([, content]) => content);
  expect(found).toContain("<details open><summary><b>one</b>: failed</summary>");
  expect(found).toContain("Error: Bad\n    a.b\n    Very bad.");
  expect(found).toContain(
    "<details open><summary><b>two</b>: not run, because one was not finished</summary>",
  );
  expect(found).toContain("refused by --refuse: a.b would be destroyed");
});

it("says how to keep a resource whose construct has another name", () => {
  const rename = { from: "a.b", to: "a.c" };
  const text = planMarkdown([
    { ...planned("one", change("a.b", "delete"), change("a.c", "create")), renames: [rename] },
  ]);
  expect(text).toContain('call moveFromId("a.b") on the construct of a.c.');
});

it("lets no value and no name leave its place", () => {
  const hostile = "x```\n</details><img src=x onerror=alert(1)>\n# heading @everyone";
  const name = "</summary><script>`*_[a](b)@all";
  const text = planMarkdown([planned(name, change("a.b", "update", { text: hostile }))]);
  const found = blocks(text);
  expect(found.filter(([type]) => type === "fence")).toHaveLength(1);
  expect(found.filter(([type]) => type === "html_block")).toHaveLength(2);
  expect(text).not.toContain("<script>");
  expect(text.replaceAll(/```[^]*```/g, "")).not.toContain("@");
});

it("is short enough for a comment, whatever changes", () => {
  const many = (number: number) =>
    Array.from({ length: number }, (_, at) =>
      change(`ids_endpoint.endpoint-${at}`, "update", { description: "x".repeat(500) }),
    );
  for (const number of [10, 100, 1000, 20_000]) {
    const text = planMarkdown([planned("one", ...many(number)), planned("two", ...many(number))]);
    expect(text.length).toBeLessThanOrEqual(60_000);
    expect(text).toContain(`${2 * number} to change`);
    expect(text.match(/<details>/g)).toHaveLength(2);
    expect(text.match(/<\/details>/g)).toHaveLength(2);
  }
});
