import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { lostVariable } from "../../../../src/core/workspace/build/build-environment";

const root = join(__dirname, "..", "..", "..", "..");
const source = join(root, "src/core/workspace/build/build-environment.ts");
const environ = "PATH=/bin\0TOKEN_git-hub=secret=1\0TOKEN_git-hub-2=other\0plain=x\0";

test("a variable with a name that shells drop is read from the parent process", () => {
  expect(lostVariable("TOKEN_git-hub", () => environ)).toBe("secret=1");
  expect(lostVariable("TOKEN_git", () => environ)).toBeUndefined();
  expect(lostVariable("TOKEN_git-", () => environ)).toBeUndefined();
});

test("any other variable is read only from the process's own environment", () => {
  expect(lostVariable("plain", () => environ)).toBeUndefined();
});

test("a variable that a shell dropped is found in the environment of the parent process", () => {
  const folder = mkdtempSync(join(tmpdir(), "trivet-variable-"));
  try {
    const file = join(folder, "lost-variable.cjs");
    buildSync({ entryPoints: [source], outfile: file, bundle: true, platform: "node" });
    const inner = `console.log(require(${JSON.stringify(file)}).lostVariable("TOKEN_git-hub"))`;
    const shell = `["-c", 'exec "$0" -e "$1"', process.execPath, ${JSON.stringify(inner)}]`;
    const outer = `process.stdout.write(require("node:child_process").execFileSync("/bin/sh", ${shell}))`;
    const env = { ...process.env, "TOKEN_git-hub": "secret" };
    const printed = execFileSync(process.execPath, ["-e", outer], { env, encoding: "utf8" });
    expect(printed.trim()).toBe("secret");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
