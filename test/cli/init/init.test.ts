import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ProjectFixture } from "./project-fixture";

describe("trivet init", () => {
  const trivet = new ProjectFixture("init");
  const init = (...args: readonly string[]) => trivet.run(["init", ...args, "--package", "0.1.0"]);

  it("writes a project into a new folder, and says what comes next", async () => {
    const { code, stdout } = await init("ids", "deep/Watch It");
    expect(code).toBe(0);
    expect(stdout).toContain("  watch-stack.ts\n");
    expect(stdout).toContain("  cd deep/Watch It\n  npm install\n  npm test\n");
    expect(JSON.parse(trivet.read("deep/Watch It/package.json"))).toMatchObject({
      name: "watch-it",
      dependencies: { "@trivet/constructs": "0.1.0" },
    });
    expect(trivet.read("deep/Watch It/README.md")).toMatch(/^# watch-it\n[^]*cdktf/);
    expect(trivet.read("deep/Watch It/.gitignore")).toContain("node_modules/\n");
    expect(trivet.read("deep/Watch It/AGENTS.md")).toMatch(
      /^# How to work on watch-it\n[^{]*cdktf/,
    );
  });

  it("depends on exact versions, those that this package is tested with", async () => {
    await init("ids", "exact");
    const { devDependencies: tested } = JSON.parse(trivet.read("package.json")) as {
      devDependencies: Record<string, string>;
    };
    const { dependencies, devDependencies } = JSON.parse(trivet.read("exact/package.json")) as {
      dependencies: Record<string, string>;
      devDependencies: Record<string, string>;
    };
    const { "@trivet/constructs": own, ...others } = { ...dependencies, ...devDependencies };
    expect(own).toBe("0.1.0");
    expect(Object.keys(others)).toEqual(expect.arrayContaining(["cdktf", "jest", "typescript"]));
    for (const [name, version] of Object.entries(others)) {
      expect([name, version]).toEqual([name, tested[name]]);
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    }
  });

  it("names cdktf nowhere in a project for cdktn, except in files that cdktn reads too", async () => {
    await init("ids", "moved", "--library", "cdktn");
    for (const name of trivet.files("moved").filter((each) => each.endsWith(".ts"))) {
      expect(trivet.read("moved", name)).not.toMatch(/"cdktf|"@trivet\/constructs(?!\/cdktn)/);
    }
    expect(trivet.read("moved/main.ts")).toContain('from "cdktn"');
    expect(trivet.read("moved/watch-stack.ts")).toContain('from "@trivet/constructs/cdktn"');
    expect(JSON.parse(trivet.read("moved/package.json"))).toMatchObject({
      dependencies: { cdktn: expect.any(String) as string },
    });
    expect(trivet.read("moved/package.json")).not.toContain('"cdktf');
  });

  it("writes a template for a platform, with the script that pushes it", async () => {
    await init("template", "pushed", "--product", "coder");
    expect(trivet.read("pushed/main.ts")).toContain("product: workspace.products.coder");
    const { scripts } = JSON.parse(trivet.read("pushed/package.json")) as {
      scripts: Record<string, string>;
    };
    expect(scripts["push"]).toMatch(/ import .*&& coder templates push dev --directory cdktf.out/);
    expect(scripts["preview"]).toBe(scripts["preview"]?.replace("coder", ""));
    // Only a template is for a platform, so the kind is known. The fixture's folder is not empty.
    const implied = await init("--product", "coder", "--json");
    expect(JSON.parse(implied.stdout)).toMatchObject({
      error: { message: expect.stringContaining("package.json") as string },
    });
    const { code, stderr } = await init("ids", "other", "--product", "coder");
    expect([code, stderr]).toEqual([2, expect.stringContaining("only a template")]);
  });

  it.each([
    ["s3", "ids", /backend\.s3\.use_lockfile/, 1],
    ["pg", "all", /new PgBackend\(/, 2],
  ])("keeps states in %s, for a project of the kind %s", async (backend, kind, text, stacks) => {
    expect(await init(kind, backend, "--backend", backend)).toMatchObject({ code: 0 });
    const main = trivet.read(backend, "main.ts");
    expect(main).toMatch(
      /^import [^\n]*\n(import [^\n]*\n)*import { keepState } from ".\/state";\n\n/,
    );
    // The state of a template is its platform's.
    expect(main.match(/^keepState\(new (?:Watch|Image)Stack\(app, .*\)\);$/gm)).toHaveLength(
      stacks,
    );
    expect(trivet.read(backend, "state.ts")).toMatch(text);
    expect(trivet.read(backend, "README.md")).toContain("## State\n");
    const { code, stderr } = await init("template", "other", "--backend", backend);
    expect([code, stderr]).toEqual([2, expect.stringContaining("--backend cannot be used")]);
  });

  it("asks for what is open, with the first answer as the default", async () => {
    const main = join(trivet.root, "dist", "src", "cli", "main.js");
    const words = [process.execPath, main, "init", "--package", "0.1.0"];
    const line = words.map((word) => `'${word}'`).join(" ");
    // script(1) gives the command a terminal.
    const child = spawn("script", ["-qefc", line, "/dev/null"], {
      cwd: mkdtempSync(join(trivet.root, "asked-")),
      stdio: ["pipe", "pipe", "inherit"],
    });
    let shown = "";
    const open = new Map([
      ["[ids]", "1"],
      ["[cdktf]", "cdktn"],
      ["[none]", "github"],
      ["[local]", ""],
    ]);
    child.stdout.on("data", (data: Buffer) => {
      shown += data.toString();
      const [prompt = "", answer = ""] = [...open].find(([each]) => shown.includes(each)) ?? [];
      if (open.delete(prompt)) child.stdin.write(`${answer}\n`);
    });
    await once(child, "close");
    expect(shown).toMatch(
      /Which library builds it\?[^]*Which pipeline deploys it\?[^]*Where are its states\?/,
    );
    expect(shown).not.toContain("For which platform?");
    expect(shown).toContain("  .github/workflows/stacks.yml");
    expect(shown).not.toContain("state.ts");
  });

  it.each([
    ["ids", 42, ["--ci", "github", "--backend", "s3"]],
    ["template", 42, ["--product", "coder"]],
    ["signing", 42, ["--ci", "gitlab", "--backend", "pg"]],
    ["all", 58, []],
  ])("writes a README for %s that fits on a screen of %d lines", async (kind, most, options) => {
    await init(kind, `readme-${kind}`, ...options);
    const lines = trivet.read(`readme-${kind}`, "README.md").split("\n");
    expect(lines.length).toBeLessThanOrEqual(most);
  });

  it("prints what it wrote as JSON", async () => {
    const { stdout } = await init("ids", "json", "--json");
    expect(JSON.parse(stdout)).toEqual({
      folder: join(trivet.root, "json"),
      kind: "ids",
      library: "cdktf",
      backend: "local",
      package: "0.1.0",
      files: expect.arrayContaining(["package.json", "watch-stack.ts"]) as string[],
    });
    const { files } = JSON.parse(stdout) as { files: string[] };
    expect(trivet.files("json")).toEqual(expect.arrayContaining(files));
    const other = await init("template", "json-coder", "--json", "--product", "coder");
    expect(JSON.parse(other.stdout)).toMatchObject({ kind: "template", product: "coder" });
    expect(JSON.parse(other.stdout)).not.toHaveProperty("backend");
  });

  it("overwrites nothing, and names the files", async () => {
    mkdirSync(join(trivet.root, "used"));
    writeFileSync(join(trivet.root, "used", "main.ts"), "mine");
    writeFileSync(join(trivet.root, "used", "README.md"), "mine");
    writeFileSync(join(trivet.root, "used", "other.txt"), "mine");
    const { code, stderr } = await init("ids", "used");
    expect(code).toBe(1);
    expect(stderr).toContain(
      `${join(trivet.root, "used")} already has files of the project: README.md, main.ts.`,
    );
    expect(trivet.files("used")).toEqual(["README.md", "main.ts", "other.txt"]);
    expect(trivet.read("used/main.ts")).toBe("mine");
  });

  it("says why a folder cannot be used", async () => {
    const { code, stderr } = await init("ids", "/dev/null/project");
    expect(code).toBe(1);
    expect(stderr).toContain("The project cannot be written to /dev/null/project: ENOTDIR");
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it("lists the kinds where it cannot ask", async () => {
    const { code, stderr } = await init();
    expect(code).toBe(2);
    expect(stderr).toContain("The kind of the project is missing");
    expect(stderr).toContain("trivet init <kind>");
    expect(stderr).toContain("ids");
    expect(stderr).toContain("--library cdktn");
  });

  it.each([
    [["bogus"], "Allowed choices are ids, template, signing, all"],
    [["ids", "x", "--library", "pulumi"], "Allowed choices are cdktf, cdktn"],
  ])("refuses %j", async (args, message) => {
    const { code, stderr } = await init(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it("says how to install from a checkout", async () => {
    const { code, stderr } = await trivet.run(["init", "ids", "from-checkout"]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${trivet.root} is a checkout`);
    expect(stderr).toContain("npm pack");
  });
});
