import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./page";

test("the recording in the README shows what the commands print", () => {
  const script = join(root, "scripts", "docs", "recording.mjs");
  const run = (): string =>
    execFileSync(process.execPath, [script, "--check"], { encoding: "utf8" });
  expect(run).not.toThrow();
}, 120_000);
