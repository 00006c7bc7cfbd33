import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as esbuild from "esbuild";
import { writePackage } from "../../../../src/cli/provider-package";
import {
  type CompiledProviders,
  compiledProviders,
} from "../../../../src/cli/provider-package/compiled/compiled-package";
import { runtimeVersion } from "../../../../src/cli/provider-package/compiled/runtime-store";
import { terraformPlatform } from "../../../../src/cli/package/platform";
import { temporaryFolder } from "../../temporary-folder";
import { runtimes } from "./compile-here";

/** Two providers, which share a class, and load a module and a CommonJS package on demand. */
const sources = {
  "src/one/main.ts": `
    import { start } from "../start";
    void start("one");`,
  "src/two/main.ts": `
    import { start } from "../start";
    void start("two");`,
  "src/start.ts": `
    import { Oops } from "./oops";
    export async function start(name: string) {
      const { fail } = await import("./late.js");
      try { fail(); } catch (error) {
        const version = process.env["TRIVET_PROVIDER_VERSION"];
        console.log(JSON.stringify({ name, version, same: error instanceof Oops,
          args: process.argv.slice(2), FROM_FILE: process.env["FROM_FILE"] }));
      }
    }`,
  "src/oops.ts": "export class Oops extends Error {}",
  "src/late.ts": `
    import heavy from "heavy";
    import { Oops } from "./oops";
    export function fail(): never { throw new Oops(heavy()); }`,
  "node_modules/heavy/package.json": '{"name":"heavy","version":"1.0.0","license":"MIT"}',
  "node_modules/heavy/index.js": 'module.exports = () => "a heavy library";',
};

const host = terraformPlatform();

function writeSources(root: string): string {
  for (const [path, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

function prepared(root: string, version?: string): Promise<CompiledProviders> {
  const entries = new Map([
    ["one", "src/one/main.ts"],
    ["two", "src/two/main.ts"],
  ]);
  return compiledProviders(esbuild, { root: writeSources(root), entries, version });
}

/** The bytes of the executable for a platform, and its name in the package of each provider. */
async function executable(made: CompiledProviders, platform: string) {
  const packages = await made.packagesFor({ platform, host, runtimes });
  const [content] = packages.map(({ files, executable }) => files.get(executable));
  return {
    content: Buffer.from(content ?? ""),
    names: packages.map((each) => each.executable),
  };
}

describe("compiled providers", () => {
  let made: CompiledProviders;
  const executables: string[] = [];
  beforeAll(async () => {
    made = await prepared(temporaryFolder());
    for (const each of await made.packagesFor({ platform: host, host, runtimes })) {
      const folder = join(temporaryFolder(), each.name);
      await writePackage(folder, each);
      executables.push(join(folder, each.executable));
    }
  });

  /** Runs an executable without anything on PATH. */
  function run(file: string, args: readonly string[] = [], cwd = temporaryFolder()) {
    const { status, stdout, stderr } = spawnSync(file, args, {
      cwd,
      encoding: "utf8",
      env: { PATH: "/nowhere" },
    });
    return { status, stderr, printed: stdout === "" ? undefined : (JSON.parse(stdout) as unknown) };
  }

  it("need no Node.js, and are each started by their own name", () => {
    const started = executables.map((each) => run(each, ["--a b", "*"]));
    const { version } = made;
    const printed = { version, same: true, args: ["--a b", "*"] };
    expect(started).toEqual([
      { status: 0, stderr: "", printed: { name: "one", ...printed } },
      { status: 0, stderr: "", printed: { name: "two", ...printed } },
    ]);
    expect(executables.map((each) => basename(each))).toEqual([
      `terraform-provider-one_v${version}`,
      `terraform-provider-two_v${version}`,
    ]);
  });

  it("come with the licences of what is in them, and with what Bun says about its own", async () => {
    for (const each of await made.packagesFor({ platform: host, host, runtimes })) {
      expect([...each.files.keys()]).toEqual([each.executable, "THIRD-PARTY-LICENSES"]);
      const text = each.files.get("THIRD-PARTY-LICENSES");
      const version = runtimeVersion;
      const licence = "MIT AND LGPL-2.0-only AND LGPL-2.1-only";
      expect(text).toContain(
        `\n- bun@${version}: ${licence}, https://bun.com\n- heavy@1.0.0: MIT\n`,
      );
      expect(text).toContain(`bun@${version}: docs/project/license.mdx of bun-types@${version}\n`);
      expect(text).toContain("Bun statically links JavaScriptCore (and WebKit), which is LGPL-2");
    }
  });

  it("say which providers they contain when they have another name", async () => {
    const folder = temporaryFolder();
    const { content } = await executable(made, host);
    const other = join(folder, "terraform-provider-three_v1.0.0");
    writeFileSync(other, content, { mode: 0o755 });
    const { status, stderr } = run(other);
    expect(status).toBe(1);
    expect(stderr).toMatch(/contains the providers one, two\..*terraform-provider-three_v1\.0\.0/);
  });

  it("take neither variables nor code from files in the working folder", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, ".env"), "FROM_FILE=1\n");
    writeFileSync(join(folder, "bunfig.toml"), 'preload = ["./preload.js"]\n');
    writeFileSync(join(folder, "preload.js"), 'console.error("foreign code");\n');
    writeFileSync(join(folder, "package.json"), "no JSON");
    writeFileSync(join(folder, "tsconfig.json"), "no JSON");
    const { status, stderr, printed } = run(executables[0] ?? "", [], folder);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(printed).not.toHaveProperty("FROM_FILE");
  });

  it("have the same bytes in whatever folder they are compiled, and no path of it", async () => {
    const first = await executable(made, host);
    const folder = join(temporaryFolder(), "another", "place");
    const elsewhere = await prepared(folder);
    const second = await executable(elsewhere, host);
    expect(elsewhere.version).toBe(made.version);
    expect(second.content.equals(first.content)).toBe(true);
    expect(second.content.includes(folder)).toBe(false);
    expect(second.content.includes("trivet-compile-")).toBe(false);
  });

  it("have a different version for different code, and that of a release inside", async () => {
    const release = await prepared(temporaryFolder(), "1.2.3");
    expect(made.version).toMatch(/^0\.0\.\d+-dev$/);
    const { names, content } = await executable(release, host);
    expect(names).toEqual(["terraform-provider-one_v1.2.3", "terraform-provider-two_v1.2.3"]);
    expect(content.includes(made.version)).toBe(false);
  });

  it("are compiled for another system, whose executables have its format and name", async () => {
    const { names, content } = await executable(made, "windows_amd64");
    expect(names).toEqual([
      `terraform-provider-one_v${made.version}.exe`,
      `terraform-provider-two_v${made.version}.exe`,
    ]);
    expect(content.subarray(0, 2).toString()).toBe("MZ");
    const header = content.readUInt32LE(0x3c);
    expect(content.subarray(header, header + 4).toString("latin1")).toBe("PE\0\0");
    expect(content.readUInt16LE(header + 4)).toBe(0x8664);
  });

  it("cannot be compiled for a platform without a runtime", async () => {
    await expect(executable(made, "freebsd_amd64")).rejects.toThrow(
      /cannot be compiled for freebsd_amd64, only for: darwin_amd64, /,
    );
  });
});
