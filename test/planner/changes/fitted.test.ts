import { styleText } from "node:util";
import { fitted } from "../../../src/core/redaction/wrapped";

const text = [
  "  Error: one two three four five six seven eight nine ten",
  "      detail aaaa bbbb cccc dddd eeee ffff",
  `x${"y".repeat(50)} short`,
].join("\n");

it("breaks lines at spaces, with the rest of each further to the right", () => {
  expect(fitted(text, 40)).toBe(
    [
      "  Error: one two three four five six",
      "      seven eight nine ten",
      "      detail aaaa bbbb cccc dddd eeee",
      "          ffff",
      `x${"y".repeat(50)}`,
      "    short",
    ].join("\n"),
  );
});

it("leaves a file as it is, and loses no character", () => {
  expect(fitted(text, undefined)).toBe(text);
  for (let width = 40; width < 80; width++) {
    expect(fitted(text, width).replaceAll(/\s+/g, " ")).toBe(text.replaceAll(/\s+/g, " "));
  }
});

it("does not count colors", () => {
  const green = styleText("green", "+", { validateStream: false });
  const line = `${green} ${"a".repeat(30)} ${"b".repeat(7)}`;
  expect(fitted(line, 40)).toBe(line);
  expect(fitted(line, 39)).not.toBe(line);
});
