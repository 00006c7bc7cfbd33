import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../cli/temporary-folder";
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
  beforeAll(() => (project = packedProject([], "provider-kit")));

  it.each(["@trivet/provider-kit", "@trivet/provider-kit/host", "@trivet/provider-kit/testing"])(
    "%s loads files of this package only",
    (module) => {
      const files = loadedBy(project, module);
      expect(files.length).toBeGreaterThan(5);
      expect(files.filter((file) => !file.startsWith("@trivet/provider-kit/dist/src/"))).toEqual(
        [],
      );
    },
  );

  it("@trivet/provider-kit/host loads what is needed until the handshake, and nothing else", () => {
    const files = loadedBy(project, "@trivet/provider-kit/host");
    const others = files.filter(
      (file) =>
        !/^@trivet\/provider-kit\/dist\/src\/core\/(?:provider-kit\/(?:host|records)|failure|process|redaction)\//.test(
          file,
        ),
    );
    // Codecs, declarations and handlers come later.
    expect(others).toEqual([]);
    expect(files).not.toContain(
      "@trivet/provider-kit/dist/src/core/provider-kit/host/connection/provider-grpc.js",
    );
  });

  it("has the same names for bundlers as for Node.js", () => {
    const script = `
      const { buildSync } = require("esbuild");
      for (const module of ["@trivet/provider-kit", "@trivet/provider-kit/host"]) {
        const bundled = buildSync({ bundle: true, format: "esm", platform: "node", write: false, metafile: true,
          stdin: { contents: "export * from " + JSON.stringify(module), resolveDir: process.cwd() } });
        const [made] = Object.values(bundled.metafile.outputs);
        const expected = Object.keys(require(module)).sort();
        const inputs = Object.keys(bundled.metafile.inputs).filter((file) => !/(<stdin>|dist.module)/.test(file));
        console.log(JSON.stringify({ same: String(made.exports.sort()) === String(expected), inputs }));
      }`;
    const withBundler = packedProject(["esbuild"], "provider-kit");
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

describe("the packages", () => {
  const content = (name: "constructs" | "provider-kit"): string[] => {
    const folder = join(packedProject([], name), "node_modules/@trivet", name);
    return readdirSync(folder, { recursive: true, encoding: "utf8" });
  };

  test("of the kit has neither providers nor constructs of ours", () => {
    const others =
      /^dist\/(?:providers|bindings)|^dist\/src\/(?:ids|signing|workspace|construct)\b/;
    expect(content("provider-kit").filter((path) => others.test(path))).toEqual([]);
    expect(content("provider-kit")).toContain("dist/src/cli/provider-main.js");
  });

  test("of the constructs has nothing that only providers and their authors need", () => {
    const others =
      /^dist\/(?:module|packages)|^dist\/src\/(?:google|provider-kit\/(?:server|plan|testing))\b|^templates\/provider/;
    expect(content("constructs").filter((path) => others.test(path))).toEqual([]);
    expect(content("constructs")).toContain("dist/providers/versions.json");
  });

  test.each([
    ["constructs", "trivet"],
    ["provider-kit", "trivet-provider"],
  ] as const)("%s is installed by npm without cdktf, cdktn and esbuild", (name, command) => {
    const project = temporaryFolder();
    // Without a registry: the dependencies, which have none of their own, come from this checkout.
    const pack = ["pack", "--silent", "--ignore-scripts", "--pack-destination", project];
    const overrides = Object.fromEntries(
      ["commander", "zod"].map((each) => {
        const cwd = join(root, "node_modules", each);
        return [each, `file:${execFileSync("npm", pack, { cwd, encoding: "utf8" }).trim()}`];
      }),
    );
    const dependencies = { [`@trivet/${name}`]: `file:${packedTarball(name)}`, ...overrides };
    writeFiles(project, { "package.json": JSON.stringify({ dependencies, overrides }) });
    const cache = join(project, "c");
    const install = ["install", "--offline", "--no-audit", "--no-fund", "--cache", cache];
    execFileSync("npm", install, { cwd: project, stdio: "pipe" });
    const lock = JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8")) as {
      packages: Record<string, unknown>;
    };
    expect(Object.keys(lock.packages).sort()).toEqual([
      "",
      `node_modules/@trivet/${name}`,
      "node_modules/commander",
      "node_modules/zod",
    ]);
    // Never asks a registry for a command of that name.
    const version = execFileSync("npx", [`@trivet/${name}`, "--version"], {
      cwd: project,
      encoding: "utf8",
      env: { ...process.env, npm_config_offline: "true" },
    });
    expect(version).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(existsSync(join(project, "node_modules", ".bin", command))).toBe(true);
  });
});
