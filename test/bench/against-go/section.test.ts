import { section } from "../../../bench/against-go/section";
import { measured } from "./measured";

const text = section(
  measured({
    1: { ours: 300, "ours, compiled": 200, "ours, warm": 50, Go: 100, "Go, quiet": 90 },
    100: { ours: 500, "ours, compiled": 400, "ours, warm": 300, Go: 800, "Go, quiet": 600 },
    5000: { ours: 900, "ours, compiled": 800, "ours, warm": 700, Go: 3000, "Go, quiet": 2000 },
  }),
  "Node.js v1.",
);

/** The cells of the line that starts with some cells. */
function cells(...start: readonly string[]): readonly string[] {
  const line = text.split("\n").find((each) => each.startsWith(`| ${start.join(" | ")} |`));
  return (line ?? "")
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

describe("the section about the provider in Go", () => {
  it("has a column for each contender, and the ratio of both cold forms of ours to Go", () => {
    expect(cells("endpoints", "command")).toEqual([
      "endpoints",
      "command",
      "ours",
      "ours, compiled",
      "ours, below `trivet exec --warm`",
      "Go's framework",
      "Go's framework, its logs off",
      "ours / Go",
      "compiled / Go",
    ]);
    expect(cells("1", "plan")).toEqual([
      "1",
      "plan",
      "300 / 301",
      "200 / 201",
      "50 / 51",
      "100 / 101",
      "90 / 91",
      "2.98",
      "1.99",
    ]);
    expect(cells("100", "destroy").slice(-2)).toEqual(["0.63", "0.50"]);
  });

  it("has only the plan of more than 1,000", () => {
    expect(cells("5000", "plan")[2]).toBe("900 / 901");
    expect(cells("5000", "apply")).toEqual([]);
  });

  it("has the memory of each program", () => {
    expect(cells("endpoints", "ours")).toEqual(["endpoints", "ours", "ours, compiled", "Go"]);
    expect(cells("100", "50")).toEqual(["100", "50", "80", "20"]);
  });

  it("says what each program takes to start, and how large the executables are", () => {
    expect(text).toContain(
      "our provider takes 30 / 31 ms of CPU, compiled 20 / 21 ms, and the twin 10 / 11 ms.",
    );
    expect(text).toContain("The twin is 18 MB, built by go1.2.3.");
    expect(text).toContain("one executable of 118 MB, built by Bun 4.5.6.");
  });

  it("says from where on each cold form of ours takes less than Go", () => {
    const [, ours = "", compiled = ""] = /logs\. (.*)\. Compiled: (.*)\.$/m.exec(text) ?? [];
    expect(ours.split("; ")).toHaveLength(4);
    expect(numberIn(compiled)).toBeLessThan(numberIn(ours));
  });

  it("ends with the machine and the number of runs", () => {
    expect(text.split("\n").at(-1)).toBe("Node.js v1. Runs in turn: 2 of 1, 2 of 100, 2 of 5000.");
  });
});

const numberIn = (sentence: string): number => Number(/\d+/.exec(sentence)?.[0]);
