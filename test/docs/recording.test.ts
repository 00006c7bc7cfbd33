import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./page";

test("the recording in the README shows what the commands print", () => {
  const script = join(root, "scripts", "docs", "recording.mjs");
  const run = (): string =>
    execFileSync(process.execPath, [script, "--check"], { encoding: "utf8" });
  expect(run).not.toThrow();
}, 120_000);

test("the README is read in a minute", () => {
  const lines = readFileSync(join(root, "README.md"), "utf8").trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(180);
});
