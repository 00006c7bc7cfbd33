import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { temporaryFolder } from "../cli/temporary-folder";

const script = resolve(__dirname, "..", "..", "scripts", "build", "notices.mjs");

/** Writes the licences of a package that depends on one with this manifest. */
function writeNotices(dependency: object) {
  const root = temporaryFolder();
  const folder = join(root, "node_modules", "left");
  mkdirSync(folder, { recursive: true });
  const manifest = { name: "left", version: "2.0.0", ...dependency };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  const code = `
    import { writeOwnNotices } from ${JSON.stringify(script)};
    await writeOwnNotices(${JSON.stringify(root)}, [], { dependencies: { left: "2.0.0" } });`;
  const args = ["--input-type=module", "-e", code];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return { status, stderr };
}

describe("a build with a package of others", () => {
  it("succeeds if its licence is permitted", () => {
    expect(writeNotices({ license: "MIT" })).toEqual({ status: 0, stderr: "" });
  });

  it.each([
    ["unknown", {}, "left@2.0.0 has no licence in node_modules/left/package.json"],
    ["not permitted", { license: "GPL-3.0-only" }, 'left@2.0.0 has the licence "GPL-3.0-only"'],
  ])("fails and names it if its licence is %s", (_, manifest, problem) => {
    const { status, stderr } = writeNotices(manifest);
    expect(status).toBe(1);
    expect(stderr).toContain(problem);
  });
});
