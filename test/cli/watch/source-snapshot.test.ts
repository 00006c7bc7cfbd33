import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { changedFiles, sourceSnapshot } from "../../../src/cli/watch/source-snapshot";
import { temporaryFolder } from "../temporary-folder";

function project(...paths: readonly string[]) {
  const folder = temporaryFolder();
  const write = (path: string, text = path): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const path of paths) write(path);
  return { folder, write, snapshot: () => sourceSnapshot(folder, "out/stacks") };
}

describe("the sources of a project", () => {
  it("are its files, but not what tools write", async () => {
    const { snapshot } = project(
      "main.ts",
      "lib/part.mts",
      "setup.sh",
      "cdktf.json",
      "types.d.ts",
      "hand.js",
      "out/x.json",
      "main.js",
      "dist/main.d.ts",
      "dist/main.js.map",
      "lib/part.mjs",
      "tsconfig.tsbuildinfo",
      "out/stacks/a/cdk.tf.json",
      "node_modules/x/index.js",
      ".git/HEAD",
      ".env",
      "terraform.a.tfstate",
      "terraform.a.tfstate.backup",
      "npm-debug.log",
    );
    expect([...(await snapshot()).keys()].sort()).toEqual(
      [
        "main.ts",
        "lib/part.mts",
        "setup.sh",
        "cdktf.json",
        "types.d.ts",
        "hand.js",
        "out/x.json",
      ].sort(),
    );
  });

  it("change with their contents only", async () => {
    const { folder, write, snapshot } = project("same.ts", "changed.ts", "removed.ts");
    const before = await snapshot();
    utimesSync(join(folder, "same.ts"), 1, 1);
    write("changed.ts", "x");
    write("added.ts");
    rmSync(join(folder, "removed.ts"));
    const after = await snapshot();
    expect(changedFiles(before, after)).toEqual(["added.ts", "changed.ts", "removed.ts"]);
    expect(changedFiles(after, await sourceSnapshot(folder, "out/stacks", after))).toEqual([]);
  });
});
