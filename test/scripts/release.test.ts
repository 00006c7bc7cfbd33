import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "..", "..");

function isRelease(env: Record<string, string>): boolean {
  const script = `
    import { isRelease } from ${JSON.stringify(join(root, "scripts", "build", "release.mjs"))};
    console.log(isRelease(JSON.parse(process.argv[1])));`;
  const args = ["--input-type=module", "-e", script, JSON.stringify(env)];
  return execFileSync(process.execPath, args).toString().trim() === "true";
}

describe("a build", () => {
  it.each([
    ["`npm pack`", { npm_command: "pack", npm_lifecycle_event: "prepack" }],
    ["`npm publish`", { npm_command: "publish", npm_lifecycle_event: "prepack" }],
    ["TRIVET_RELEASE=1", { TRIVET_RELEASE: "1" }],
  ])("for %s is a release", (_, env) => {
    expect(isRelease(env)).toBe(true);
  });

  it.each([
    ["by hand", {}],
    ["for `npm ci`", { npm_command: "ci", npm_lifecycle_event: "dependencies" }],
    ["after `npm pack`", { npm_command: "pack", npm_lifecycle_event: "postpack" }],
  ])("%s is a development build", (_, env) => {
    expect(isRelease(env)).toBe(false);
  });
});

describe("the package", () => {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const pack = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const [packed] = JSON.parse(execFileSync("npm", pack, { cwd: root }).toString()) as [
    { files: { path: string; size: number }[] },
  ];
  const paths = packed.files.map(({ path }) => path);

  it("is built before it is packed, and built again for development", () => {
    expect(manifest.scripts["prepack"]).toContain("scripts/build.mjs");
    expect(manifest.scripts["postpack"]).toContain("scripts/build.mjs --providers");
  });

  it("has nothing that npm would run when it is installed, and ask about", () => {
    for (const name of ["preinstall", "install", "postinstall", "prepare"]) {
      expect(manifest.scripts).not.toHaveProperty(name);
    }
    // Runs in a checkout only.
    expect(manifest.scripts["dependencies"]).toContain("scripts/build.mjs");
  });

  it("contains the library, the command, the providers and the guides", () => {
    for (const path of [
      "README.md",
      "LICENSE",
      "dist/src/index.js",
      "dist/src/index.d.ts",
      "dist/src/cli/main.js",
      "dist/providers/versions.json",
      "docs/guide/first-stack.md",
      "THIRD-PARTY-LICENSES",

      ...["ids", "signing", "workspace"].map(
        (name) => `dist/providers/${name}/THIRD-PARTY-LICENSES`,
      ),
    ]) {
      expect(paths).toContain(path);
    }
  });

  it("contains no source maps, whose sources it does not contain, and no state of the compiler", () => {
    expect(paths.filter((path) => /\.(map|tsbuildinfo)$/.test(path))).toEqual([]);
    const modules = paths.filter((path) => /^dist\/(src|bindings)\/.*\.(js|d\.ts)$/.test(path));
    expect(modules.length).toBeGreaterThan(500);
    const mapped = modules.filter((path) =>
      /^\/\/# sourceMappingURL=/m.test(readFileSync(join(root, path), "utf8")),
    );
    expect(mapped).toEqual([]);
  });
});
