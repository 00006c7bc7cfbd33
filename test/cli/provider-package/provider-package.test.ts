import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import * as esbuild from "esbuild";
import { providerPackage, writePackage } from "../../../src/cli/provider-package";
import type { PackageOptions } from "../../../src/cli/provider-package/provider-package";
import { temporaryFolder } from "../temporary-folder";

/**
 * A program that loads a module on demand, which loads two more. All share a class, and the two share a module that
 * nothing else needs. One of them needs a package.
 */
const sourceFiles = {
  "src/ids/main.ts": `
    import { Oops } from "./oops";
    async function main() {
      const { fail } = await import("./branch.js");
      try { await fail(); } catch (error) {
        const version = process.env["TRIVET_PROVIDER_VERSION"];
        const tested = process.env["TRIVET_TESTED_DECLARATIONS"];
        const { NODE_OPTIONS, NODE_V8_COVERAGE, NODE_EXTRA_CA_CERTS, TRIVET_EXTRA_CA_CERTS } = process.env;
        console.log(JSON.stringify({ version, tested, same: error instanceof Oops, args: process.argv.slice(2),
          NODE_OPTIONS, NODE_V8_COVERAGE, NODE_EXTRA_CA_CERTS, TRIVET_EXTRA_CA_CERTS }));
      }
    }
    void main();`,
  "src/ids/oops.ts": "export class Oops extends Error {}",
  "src/ids/branch.ts": `
    import { Oops } from "./oops";
    export async function fail() {
      const [leaf, other] = await Promise.all([import("./leaf.js"), import("./other.js")]);
      if (leaf.sap !== other.sap) throw new Error("two instances of one module");
      leaf.fail();
    }`,
  "src/ids/leaf.ts": `
    import heavy from "heavy";
    import { Oops } from "./oops";
    export { sap } from "./sap";
    export function fail(): never { throw new Oops(heavy()); }`,
  "src/ids/other.ts": 'export { sap } from "./sap";',
  "src/ids/sap.ts": 'export const sap = { from: "the roots" };',
  "node_modules/heavy/package.json": '{"name":"heavy","version":"1.0.0","license":"MIT"}',
  "node_modules/heavy/index.js": 'module.exports = () => "a heavy library";',
};

interface Made {
  readonly version: string;
  readonly folder: string;
  readonly executable: string;
}

function writeSources(root: string, sources: Record<string, string> = sourceFiles): string {
  for (const [path, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

async function pack(
  root: string,
  version?: string,
  options: Partial<PackageOptions> = {},
): Promise<Made> {
  const made = await providerPackage(esbuild, {
    root,
    entry: "src/ids/main.ts",
    name: "ids",
    version,
    minimumNode: "20.20",
    defersCertificates: true,
    ...options,
  });
  const folder = join(root, "dist", "ids");
  await writePackage(folder, made);
  return { version: made.version, folder, executable: join(folder, made.executable) };
}

function contents(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
}

describe("the package of a provider", () => {
  let made: Made;
  beforeAll(async () => (made = await pack(writeSources(temporaryFolder()))));

  it("has the same bytes, and so the same version, in whatever folder it is built", async () => {
    const elsewhere = await pack(writeSources(join(temporaryFolder(), "another", "place")));
    expect(elsewhere.version).toBe(made.version);
    expect(contents(elsewhere.folder)).toEqual(contents(made.folder));
  });

  it("contains no path of the machine that it was built on", () => {
    const text = Object.values(contents(made.folder)).join("\n");
    expect(text).not.toContain(dirname(dirname(made.folder)));
    expect(text).not.toContain("sourceMappingURL");
  });

  it("has a different version for different content, in a number that cdktf compares", async () => {
    const sources = {
      ...sourceFiles,
      "src/ids/oops.ts": "export class Oops extends TypeError {}",
    };
    const other = await pack(writeSources(temporaryFolder(), sources));
    expect(made.version).toMatch(/^0\.0\.\d+-dev$/);
    expect(other.version).toMatch(/^0\.0\.\d+-dev$/);
    expect(other.version).not.toBe(made.version);
  });

  it("has the version of a release, in the file name and inside", async () => {
    const release = await pack(writeSources(temporaryFolder()), "0.1.0");
    expect(release.executable).toContain("terraform-provider-ids_v0.1.0");
    const { version } = JSON.parse(execFileSync(release.executable).toString()) as Made;
    expect(version).toBe("0.1.0");
  });

  const filesWith = (text: string): string[] =>
    Object.entries(contents(made.folder))
      .filter(([, content]) => content.includes(text))
      .map(([name]) => name);

  it("keeps libraries that are loaded on demand in separate files", () => {
    expect(filesWith("a heavy library")).toEqual([expect.stringMatching(/^leaf-\w+\.cjs$/)]);
  });

  it("has few files: the start, what every process loads later, and what several others share", () => {
    expect(filesWith("TRIVET_EXTRA_CA_CERTS:")).toEqual(["start.cjs"]);
    expect(filesWith("two instances of one module")).toEqual(["calls.cjs"]);
    expect(filesWith("the roots")).toEqual(["shared.cjs"]);
    expect(filesWith("heavy@1.0.0: MIT")).toEqual(["THIRD-PARTY-LICENSES"]);
    expect(readdirSync(made.folder)).toHaveLength(8);
  });

  it("has one executable that terraform recognises as the provider", () => {
    const names = readdirSync(made.folder).filter((name) =>
      name.startsWith("terraform-provider-ids"),
    );
    expect(names).toHaveLength(1);
    expect(statSync(made.executable).mode & 0o777).toBe(0o755);
  });
});

describe("the launcher of a provider", () => {
  let made: Made;
  beforeAll(async () => (made = await pack(writeSources(temporaryFolder()))));

  function launched(executable: string, env: NodeJS.ProcessEnv, ...args: string[]) {
    return JSON.parse(
      execFileSync(executable, args, { env: { PATH: process.env["PATH"], ...env } }).toString(),
    ) as Record<string, unknown>;
  }

  it("starts the provider with its arguments; classes are the same in all of its files", () => {
    expect(launched(made.executable, {}, "--a b", "*")).toEqual({
      version: made.version,
      tested: "false",
      same: true,
      args: ["--a b", "*"],
    });
  });

  it("checks its declarations at each start, unless tests have checked them", async () => {
    const tested = await pack(writeSources(temporaryFolder()), undefined, {
      hasTestedDeclarations: true,
    });
    const env = { TRIVET_TESTED_DECLARATIONS: "of the user" };
    expect(launched(tested.executable, env)).toMatchObject({ tested: "true" });
    expect(launched(made.executable, env)).toMatchObject({ tested: "false" });
  });

  it("hides variables from node that are not meant for it", () => {
    const env = {
      NODE_EXTRA_CA_CERTS: "/ca's here.pem",
      NODE_OPTIONS: "--no-such-option",
      NODE_V8_COVERAGE: "/coverage",
    };
    expect(launched(made.executable, env)).toEqual({
      version: made.version,
      tested: "false",
      same: true,
      args: [],
      TRIVET_EXTRA_CA_CERTS: "/ca's here.pem",
    });
  });

  it("is found through a linked folder with blanks in its path, under a package of ES modules", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "package.json"), '{"type": "module"}');
    symlinkSync(made.folder, join(folder, "a link"));
    const executable = join(folder, "a link", `terraform-provider-ids_v${made.version}`);
    expect(launched(executable, {})).toMatchObject({ same: true });
  });

  it("reports that node is missing", () => {
    const { status, stdout } = spawnSync(made.executable, { env: { PATH: "/nowhere" } });
    expect(status).toBe(1);
    expect(stdout.toString()).toContain('"node" is not on its PATH');
  });

  it("reports that node is too old", () => {
    const folder = temporaryFolder();
    const node = join(folder, "node");
    const fake = `Object.defineProperty(process.versions, "node", { value: "20.9.1" })`;
    writeFileSync(join(folder, "old.cjs"), fake);
    writeFileSync(node, `#!/bin/sh\nexec "${process.execPath}" -r "${folder}/old.cjs" "$@"\n`);
    chmodSync(node, 0o755);
    const { status, stdout } = spawnSync(made.executable, {
      env: { PATH: `${folder}:${process.env["PATH"] ?? ""}` },
    });
    expect(status).toBe(1);
    expect(stdout.toString()).toContain("needs Node.js 20.20 or newer");
    expect(stdout.toString()).toContain("20.9.1");
  });
});

describe("a CommonJS package that is loaded on demand", () => {
  it("has its names, as in Node.js, and import.meta.url is that of a file in the package", async () => {
    const sources = {
      "src/ids/main.ts": `
        import("plain").then((all) =>
          console.log(JSON.stringify([all.one, all.default.two, import.meta.url])));`,
      "node_modules/plain/package.json": '{"name":"plain","version":"1.0.0","license":"MIT"}',
      "node_modules/plain/index.js": "exports.one = 1; exports.two = 2;",
    };
    const made = await pack(writeSources(temporaryFolder(), sources));
    const printed = JSON.parse(execFileSync(made.executable).toString()) as unknown;
    expect(printed).toEqual([1, 2, `file://${join(made.folder, "start.cjs")}`]);
  });
});
