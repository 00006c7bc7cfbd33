import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { onPath, skippedWithout } from "../../on-path";
import { tryPipeline } from "./pipeline-trial";
import { ProjectFixture } from "./project-fixture";

const run = promisify(execFile);
const trivet = new ProjectFixture("init");
const init = (...args: readonly string[]) => trivet.run(["init", ...args, "--package", "0.1.0"]);

describe("the pipeline of `trivet init --ci`", () => {
  it("of github applies the reviewed plan, and no other", () => tryPipeline("github"));

  it("names the stacks of a project of all kinds that are deployed", async () => {
    await init("all", "all", "--ci", "github");
    const text = trivet.read("all/.github/workflows/stacks.yml");
    expect(text).toContain("npx --no trivet plan watch image --out plans");
    expect(trivet.read("all/README.md")).toContain("## Pipeline");
    expect(JSON.parse(trivet.read("all/renovate.json"))).toMatchObject({
      packageRules: [{ groupName: "trivet" }],
    });
  });

  it("is refused for a template, and added alone to a project that exists", async () => {
    const refused = await init("template", "template", "--ci", "github");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("a template is pushed to a platform, not deployed");

    const folder = join(trivet.root, "cdktf-project");
    mkdirSync(folder);
    writeFileSync(join(folder, "cdktf.json"), "{}");
    const args = [join(trivet.root, "dist/src/cli/main.js"), "init", "--ci", "gitlab"];
    const add = () => run(process.execPath, [...args, "--package", "0.1.0"], { cwd: folder });
    await expect(
      run(process.execPath, [...args, "--package", "0.1.0", "--backend", "s3"], { cwd: folder }),
    ).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--backend cannot be used to add a pipeline") as string,
    });
    // `npx` would take whatever has the name of the package.
    for (const manifest of [undefined, {}, { dependencies: { cdktf: "0.21.0" } }, { name: "x" }]) {
      if (manifest) writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
      await expect(add()).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining("does not depend on @trivet/constructs") as string,
      });
    }
    expect(trivet.files("cdktf-project")).toEqual(["cdktf.json", "package.json"]);
    const devDependencies = { "@trivet/constructs": "file:../../trivet.tgz", other: "1.0.0" };
    writeFileSync(join(folder, "package.json"), JSON.stringify({ devDependencies }));
    const inside = await add();
    expect(inside.stderr).toContain("does not have, so `npm ci` fails there");
    expect(inside.stderr).toContain("@trivet/constructs: file:../../trivet.tgz\n");
    expect(inside.stdout).toContain(".gitlab-ci.yml");
    expect(trivet.files("cdktf-project")).toEqual([
      ".gitlab-ci.yml",
      "cdktf.json",
      "package.json",
      "renovate.json",
    ]);
  });
});

const actionlint = onPath("actionlint");
skippedWithout(actionlint === undefined ? ["actionlint"] : [], "the workflow is not linted");

(actionlint === undefined ? describe.skip : describe)("actionlint", () => {
  it.each(["ids", "all"])("accepts the workflow of a project for %s", async (kind) => {
    await init(kind, `lint-${kind}`, "--ci", "github");
    const file = join(trivet.root, `lint-${kind}`, ".github", "workflows", "stacks.yml");
    expect((await run(actionlint ?? "", [file])).stdout).toBe("");
  });
});
