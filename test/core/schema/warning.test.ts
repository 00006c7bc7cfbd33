import { block, knownWarnings, optional, resource, t, warning } from "../../../src/core/schema";

test("a warning is known by its code", () => {
  const { at } = warning("saw-blunt", "a saw is blunt");
  expect(knownWarnings().get("saw-blunt")).toMatchObject({ doc: "a saw is blunt" });
  expect(at(["teeth"], "should be sharp")).toEqual({
    code: "ADVICE",
    severity: "warning",
    warning: "saw-blunt",
    path: ["teeth"],
    message: "should be sharp",
  });
});

test("a code is of one warning", () => {
  warning("saw-dull", "a saw is dull");
  expect(() => warning("saw-dull", "a saw is dull")).not.toThrow();
  expect(() => warning("saw-dull", "a saw is boring")).toThrow(
    'two warnings have the code "saw-dull"',
  );
});

test.each(["", "saw", "Saw-Blunt", "saw_blunt", "saw-", "saw-blunt-", "-saw"])(
  "a code is words with hyphens: %j",
  (code) => {
    expect(() => warning(code, "a saw")).toThrow("words joined by hyphens");
  },
);

test("what a declaration deprecates has a code, at any depth", () => {
  const old = { doc: "Old.", deprecated: "use a new one" };
  resource("warned_saw", {
    doc: "A saw.",
    attributes: {
      toothCount: optional(t.number(), old),
      handle: optional(t.list(t.object({ gripColor: optional(t.string(), old) })), { doc: "A." }),
    },
    blocks: {
      oldBlade: block.list({ attributes: { steelKind: optional(t.string(), old) } }, old),
    },
  });
  const codes = ["tooth-count", "grip-color", "old-blade", "steel-kind"];
  for (const code of codes) expect(knownWarnings().has(`deprecated-${code}`)).toBe(true);
});
