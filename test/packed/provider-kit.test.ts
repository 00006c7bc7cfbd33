import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../e2e/support/build";
import { packedProject, packedTarball, writeFiles } from "./packed-project";

/** The files that a module loads, relative to the package. */
function loadedBy(project: string, module: string): string[] {
  const script = `require(${JSON.stringify(module)}); console.log(JSON.stringify(Object.keys(require.cache)))`;
  const printed = execFileSync(process.execPath, ["-e", script], { cwd: project }).toString();
  const packages = join(project, "node_modules/");
  return (JSON.parse(printed) as string[]).map((file) => file.replace(packages, ""));
}

describe("the provider kit, in a project without cdktf, cdktn and constructs", () => {
  let project = "";
  beforeAll(() => (project = packedProject([])));

  it.each(["trivet/provider-kit", "trivet/provider-kit/host", "trivet/provider-kit/testing"])(
    "%s loads files of this package only",
    (module) => {
      const files = loadedBy(project, module);
      expect(files.length).toBeGreaterThan(5);
      expect(files.filter((file) => !file.startsWith("trivet/dist/src/"))).toEqual([]);
    },
  );

  it("trivet/provider-kit/host loads what is needed until the handshake, and nothing else", () => {
    const files = loadedBy(project, "trivet/provider-kit/host");
    const others = files.filter(
      (file) => !/^trivet\/dist\/src\/(?:provider-kit\/host|process|redaction)\//.test(file),
    );
    // Codecs, declarations and handlers come later.
    expect(others).toEqual([]);
    expect(files).not.toContain("trivet/dist/src/provider-kit/host/connection/provider-grpc.js");
  });

  it("has the same names for bundlers as for Node.js", () => {
    const script = `
      const { buildSync } = require("esbuild");
      for (const module of ["trivet/provider-kit", "trivet/provider-kit/host"]) {
        const bundled = buildSync({ bundle: true, format: "esm", platform: "node", write: false, metafile: true,
          stdin: { contents: "export * from " + JSON.stringify(module), resolveDir: process.cwd() } });
        const [made] = Object.values(bundled.metafile.outputs);
        const expected = Object.keys(require(module)).sort();
        const inputs = Object.keys(bundled.metafile.inputs).filter((file) => !/(<stdin>|dist.module)/.test(file));
        console.log(JSON.stringify({ same: String(made.exports.sort()) === String(expected), inputs }));
      }`;
    const withBundler = packedProject(["esbuild"]);
    const lines = execFileSync(process.execPath, ["-e", script], { cwd: withBundler }).toString();
    expect(
      lines
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { same: true, inputs: [] },
      { same: true, inputs: [] },
    ]);
  });
});

test("npm installs the package without cdktf, cdktn, constructs and esbuild", () => {
  const project = mkdtempSync(join(tmpdir(), "trivet-npm-"));
  // Without a registry: the dependencies, which have none of their own, come from this checkout.
  const pack = ["pack", "--silent", "--ignore-scripts", "--pack-destination", project];
  const overrides = Object.fromEntries(
    ["commander", "zod"].map((name) => {
      const cwd = join(root, "node_modules", name);
      return [name, `file:${execFileSync("npm", pack, { cwd, encoding: "utf8" }).trim()}`];
    }),
  );
  const dependencies = { trivet: `file:${packedTarball()}`, ...overrides };
  writeFiles(project, { "package.json": JSON.stringify({ dependencies, overrides }) });
  const install = [
    "install",
    "--offline",
    "--no-audit",
    "--no-fund",
    "--cache",
    join(project, "c"),
  ];
  execFileSync("npm", install, { cwd: project, stdio: "pipe" });
  const lock = JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8")) as {
    packages: Record<string, unknown>;
  };
  expect(Object.keys(lock.packages).sort()).toEqual([
    "",
    "node_modules/commander",
    "node_modules/trivet",
    "node_modules/zod",
  ]);
  expect(existsSync(join(project, "node_modules", ".bin", "trivet"))).toBe(true);
});
