import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Figure, noReason, page, table, unexplained, worse } from "../../bench/report";

const figure = (median: number, min: number, against = "bindings: 391 ms"): Figure => ({
  what: "ids: build and synth of 1000 × endpoint, CPU",
  value: { median, min, runs: 3 },
  unit: "×",
  against,
});

const then = `Text before.\n\n${table([figure(0.8, 0.7)])}\n`;

test.each([
  ["twice as much", figure(1.6, 1.4), 1],
  ["a tenth more", figure(0.88, 0.77), 0],
  ["more once, but not at best", figure(1.6, 0.7), 0],
  ["less", figure(0.4, 0.3), 0],
  ["compared with another time of the same", figure(1.6, 1.4, "bindings: 77 ms"), 1],
  ["compared with something else", figure(1.6, 1.4, "cdktf alone"), 0],
  ["a time, which depends on the machine", { ...figure(1.6, 1.4), unit: "ms" } as const, 0],
])("%s", (_, now, count) => {
  expect(worse([now], then)).toHaveLength(count);
});

test("a worse ratio is reported with both figures", () => {
  expect(worse([figure(1.6, 1.4)], then)).toEqual([
    "ids: build and synth of 1000 × endpoint, CPU, compared with bindings: 1.60, and 0.80 in the last table",
  ]);
});

test("the page shows what users notice, and all figures behind it", () => {
  const other = { ...figure(1, 1), what: "ids: exit after Shutdown, wall" };
  const [before = "", behind = ""] = page([figure(1, 1), other]).split("<details>");
  expect(before).toContain("ids: build and synth");
  expect(before).not.toContain("exit after Shutdown");
  expect(behind).toContain("exit after Shutdown");
});

test("a missed target is on the page with its reason, and a reason is never missing there", () => {
  const missed = { ...figure(1.4, 1.3), what: "workspace: import of `Agent`, CPU", target: 1.2 };
  expect(page([missed])).toMatch(
    /^- workspace: import of `Agent`, CPU: 1\.40 ×, not 1\.2\. [A-Z].*\.$/m,
  );
  expect(unexplained([missed, { ...missed, what: "new" }])).toEqual(["new"]);
  expect(unexplained([{ ...missed, what: "new", target: 1.4 }])).toEqual([]);
  const written = readFileSync(join(__dirname, "../../docs/performance.md"), "utf8");
  expect(written).not.toContain(noReason);
});
