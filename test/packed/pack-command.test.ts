import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { terraformPlatform } from "../../src/cli/package/platform";
import { temporaryFolder } from "../cli/temporary-folder";
import { serveMirror } from "../cli/provider-package/mirror-server";
import { root } from "../e2e/support/build";
import { startCommand } from "../e2e/support/command";
import { guideConfiguration, guideProject } from "./guide-provider";
import { writeFiles } from "./packed-project";

const source = ["--source", "example.com/acme/notes"];

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function pack(project: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Ended {
  const main = join(project, "node_modules/@trivet/provider-kit/dist/src/cli/provider-main.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, "pack", ...args], {
    cwd: project,
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  return { status, stdout, stderr };
}

/** The content of each file below a folder. */
function contents(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    files
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => {
        const file = join(parentPath, name);
        return [file.replace(folder, ""), readFileSync(file).toString("base64")];
      }),
  );
}

async function terraform(folder: string, env: NodeJS.ProcessEnv, ...args: string[]) {
  const all = { ...process.env, TF_IN_AUTOMATION: "1", CHECKPOINT_DISABLE: "1", ...env };
  return await startCommand("terraform", args, { cwd: folder, env: all }).ended;
}

function configuration(): string {
  const folder = temporaryFolder();
  writeFiles(folder, { "main.tf": guideConfiguration });
  return folder;
}

describe("the provider of the guide, packed", () => {
  let project = "";
  const made = (...path: string[]) => join(project, "release", ...path);
  const registry = (file: string) => made("registry", "0.1.0", `terraform-provider-notes_${file}`);

  beforeAll(() => {
    project = guideProject();
    const { status, stderr } = pack(project, ["main.ts", ...source]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  it("consists of the files that a registry expects, with their checksums", () => {
    const prefix = "terraform-provider-notes_0.1.0";
    const platforms = ["darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64"];
    expect(readdirSync(made("registry", "0.1.0")).sort()).toEqual(
      [
        ...["SHA256SUMS", "manifest.json"].map((name) => `${prefix}_${name}`),
        ...platforms.map((platform) => `${prefix}_${platform}.zip`),
      ].sort(),
    );
    const check = ["--check", "--strict", `${prefix}_SHA256SUMS`];
    const checked = execFileSync("sha256sum", check, { cwd: made("registry", "0.1.0") }).toString();
    expect(checked.match(/: OK$/gm)).toHaveLength(5);
    expect(JSON.parse(readFileSync(registry("0.1.0_manifest.json"), "utf8"))).toEqual({
      version: 1,
      metadata: { protocol_versions: ["6.0"] },
    });
  });

  it("starts with little code: the kit and the provider are read after the handshake", () => {
    const folder = temporaryFolder();
    execFileSync("unzip", ["-q", registry("0.1.0_linux_amd64.zip"), "-d", folder]);
    const filesWith = (text: string) =>
      readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text));
    // Of the handshake, the handlers, the declaration, and the planning.
    expect(filesWith("TF_PLUGIN_MAGIC_COOKIE")).toEqual(["start.cjs"]);
    for (const late of ["Note Already Exists", "must be lowercase letters", "Invalid Attribute"]) {
      expect(filesWith(late)).toEqual(["calls.cjs"]);
    }
    const own = readFileSync(join(folder, "start.cjs")).byteLength;
    const ours = readFileSync(join(root, "dist/providers/ids/start.cjs")).byteLength;
    expect(own).toBeLessThan(ours * 1.1);
  });

  it("comes with the licences of the code of others in it, that of the kit included", () => {
    for (const platform of ["darwin_amd64", "linux_amd64"]) {
      const args = ["-p", registry(`0.1.0_${platform}.zip`), "THIRD-PARTY-LICENSES"];
      const text = execFileSync("unzip", args, { encoding: "utf8" });
      expect(text).toMatch(/^- @trivet\/provider-kit@\d+\.\d+\.\d+: Apache-2\.0/m);
      expect(text).toContain("dist/module/THIRD-PARTY-LICENSES");
      expect(text).toMatch(/^- zod@\d+\.\d+\.\d+: MIT/m);
    }
  });

  it("is not packed with a package whose licence is not permitted, until it is", () => {
    const again = guideProject();
    const main = readFileSync(join(again, "main.ts"), "utf8");
    writeFiles(again, {
      "main.ts": `import "left";\n${main}`,
      "node_modules/left/package.json":
        '{"name":"left","version":"2.0.0","license":"GPL-3.0-only"}',
      "node_modules/left/index.js": "globalThis.left = 1;",
      "node_modules/left/LICENSE": "You may, if.",
    });
    const refused = pack(again, ["main.ts", ...source]);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain(
      'left@2.0.0 has the licence "GPL-3.0-only", which is not permitted',
    );
    expect(readdirSync(again)).not.toContain("release");
    expect(pack(again, ["main.ts", ...source, "--permit", "GPL-3.0-only"])).toMatchObject({
      status: 0,
    });
  });

  it("is installed by terraform from the mirror as a folder, and works", async () => {
    const folder = configuration();
    const plugins = `-plugin-dir=${made("mirror")}`;
    expect(await terraform(folder, {}, "init", plugins)).toMatchObject({ code: 0 });
    const applied = await terraform(folder, {}, "apply", "-auto-approve");
    expect(applied.output).toContain("1 added, 0 changed, 0 destroyed");
    expect(readFileSync(join(folder, "milk.txt"), "utf8")).toBe("We need milk.");
    const planned = await terraform(folder, {}, "plan", "-detailed-exitcode");
    expect(planned).toMatchObject({ code: 0 });
  });

  it("is installed by terraform from the mirror on a web server, with all checksums", async () => {
    const mirror = await serveMirror(made("mirror"), "example.com/*/*");
    const folder = configuration();
    const initialised = await terraform(folder, mirror.env, "init");
    expect(initialised).toMatchObject({ code: 0 });
    expect(mirror.requests.map((path) => path.replace("/example.com/acme/notes/", ""))).toEqual(
      expect.arrayContaining(["index.json", "0.1.0.json"]),
    );
    const lock = readFileSync(join(folder, ".terraform.lock.hcl"), "utf8");
    const [digest] = readFileSync(registry("0.1.0_SHA256SUMS"), "utf8")
      .split("\n")
      .filter((line) => line.includes("linux_amd64"))
      .map((line) => line.split(" ")[0]);
    const described = JSON.parse(
      readFileSync(made("mirror/example.com/acme/notes/0.1.0.json"), "utf8"),
    ) as { archives: { linux_amd64: { hashes: string[] } } };
    const [hash] = described.archives.linux_amd64.hashes;
    expect(described.archives.linux_amd64.hashes).toContain(`zh:${digest ?? ""}`);
    expect(lock).toContain(`"${hash ?? "?"}"`);
  });

  it("is refused by terraform if its zip file in the mirror was changed", async () => {
    const copy = join(temporaryFolder(), "mirror");
    cpSync(made("mirror"), copy, { recursive: true });
    const zips = join(copy, "example.com/acme/notes");
    for (const name of readdirSync(zips).filter((each) => each.endsWith(".zip"))) {
      const bytes = readFileSync(join(zips, name));
      bytes.writeUInt8(bytes.readUInt8(200) ^ 1, 200);
      writeFileSync(join(zips, name), bytes);
    }
    const mirror = await serveMirror(copy, "example.com/*/*");
    const { code, output } = await terraform(configuration(), mirror.env, "init");
    expect(code).toBe(1);
    expect(output.replaceAll(/[\s│]+/g, " ")).toMatch(/checksum|doesn't match/);
  });

  it("is compiled for a platform, and then works where there is no Node.js", async () => {
    const platform = terraformPlatform();
    const out = join(temporaryFolder(), "out");
    const options = ["--platform", "freebsd_amd64", "--compile", platform, "--out", out];
    const { status, stderr } = pack(project, ["main.ts", ...source, ...options]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const zips = readdirSync(join(out, "registry/0.1.0")).filter((name) => name.endsWith(".zip"));
    expect(zips.map((name) => name.replace(/^.*_0\.1\.0_|\.zip$/g, "")).sort()).toEqual(
      ["freebsd_amd64", platform].sort(),
    );
    const folder = configuration();
    const tools = temporaryFolder();
    const found = execFileSync("sh", ["-c", "command -v terraform"]).toString().trim();
    symlinkSync(found, join(tools, "terraform"));
    const mirror = `-plugin-dir=${join(out, "mirror")}`;
    for (const args of [
      ["init", mirror],
      ["apply", "-auto-approve"],
      ["plan", "-detailed-exitcode"],
    ]) {
      expect(await terraform(folder, { PATH: tools }, ...args)).toMatchObject({ code: 0 });
    }
    expect(readFileSync(join(folder, "milk.txt"), "utf8")).toBe("We need milk.");
  });

  it("has the same bytes when it is packed elsewhere, under another name of the folder", () => {
    const again = guideProject();
    const out = join(temporaryFolder(), "out");
    expect(pack(again, ["main.ts", ...source, "--out", out])).toMatchObject({ status: 0 });
    expect(contents(out)).toEqual(contents(made()));
  });

  it("is packed again without a change, refused with other content, and replaced with --force", () => {
    const again = guideProject();
    cpSync(made(), join(again, "release"), { recursive: true });
    expect(pack(again, ["main.ts", ...source])).toMatchObject({ status: 0 });
    const notes = readFileSync(join(again, "note-handlers.ts"), "utf8");
    writeFiles(again, { "note-handlers.ts": notes.replace("Note Already Exists", "Note Exists") });
    const refused = pack(again, ["main.ts", ...source]);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain("has different content than this build of the same version");
    expect(contents(join(again, "release"))).toEqual(contents(made()));
    expect(pack(again, ["main.ts", ...source, "--force"])).toMatchObject({ status: 0 });
    expect(contents(join(again, "release"))).not.toEqual(contents(made()));
  });

  it("keeps earlier versions in the mirror", () => {
    const again = guideProject();
    cpSync(made(), join(again, "release"), { recursive: true });
    const next = ["--provider-version", "0.10.0", "--platform", "linux_amd64", "--json"];
    const { status, stdout } = pack(again, ["main.ts", ...source, ...next]);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ name: "notes", version: "0.10.0", warnings: [] });
    const mirror = join(again, "release/mirror/example.com/acme/notes");
    expect(JSON.parse(readFileSync(join(mirror, "index.json"), "utf8"))).toEqual({
      versions: { "0.1.0": {}, "0.10.0": {} },
    });
    expect(readdirSync(mirror)).toContain("terraform-provider-notes_0.1.0_darwin_arm64.zip");
    const archives = readdirSync(mirror).filter((name) => name.includes("_0.10.0_"));
    expect(archives).toEqual(["terraform-provider-notes_0.10.0_linux_amd64.zip"]);
  });

  it("is signed with a key of GnuPG", () => {
    // Short, because the path of GnuPG's socket has at most 100 characters.
    const home = execFileSync("mktemp", ["-d", "/tmp/gnupg-XXXXXX"]).toString().trim();
    const env = { GNUPGHOME: home };
    const gpg = (...args: string[]) =>
      spawnSync("gpg", ["--batch", ...args], { env: { ...process.env, ...env }, encoding: "utf8" });
    try {
      const key = ["--passphrase", "", "--quick-generate-key", "release@acme.example", "rsa3072"];
      expect(gpg(...key, "sign", "never").status).toBe(0);
      const again = guideProject();
      const signing = [...source, "--gpg-key", "release@acme.example", "--json"];
      const { status, stdout } = pack(again, ["main.ts", ...signing], env);
      expect(status).toBe(0);
      const { signature } = JSON.parse(stdout) as { signature: string };
      expect(signature).toMatch(/_0\.1\.0_SHA256SUMS\.sig$/);
      const verified = gpg("--verify", signature, signature.replace(/\.sig$/, ""));
      expect(verified.stderr).toContain('Good signature from "release@acme.example"');

      const unknown = pack(again, ["main.ts", ...source, "--gpg-key", "nobody@acme.example"], env);
      expect(unknown.status).toBe(1);
      expect(unknown.stderr).toContain('GnuPG cannot sign with the key "nobody@acme.example"');
    } finally {
      spawnSync("gpgconf", ["--kill", "all"], { env: { ...process.env, ...env } });
      execFileSync("rm", ["-rf", home]);
    }
  });
});

describe("`trivet-provider pack` explains why it cannot pack", () => {
  let unchanged = "";
  beforeAll(() => (unchanged = guideProject()));

  test.each<[string, readonly string[], number, string]>([
    ["a missing file", ["nowhere.ts", ...source], 2, "does not exist"],
    ["no address", ["main.ts"], 2, "required option '--source <address>' not specified"],
    ["an address", ["main.ts", "--source", "Notes"], 2, 'value "Notes", which is not a'],
    ["a host", ["main.ts", "--source", "../x/notes"], 2, "not a provider's source address"],
    ["a shell in a name", ["main.ts", "--source", "a.b/c/$(id)"], 2, "not a provider's source"],
    ["a version", ["main.ts", ...source, "--provider-version", "v1"], 2, "not a semantic version"],
    ["a platform", ["main.ts", ...source, "--platform", "linux_x64"], 2, "does not exist"],
    [
      "Windows",
      ["main.ts", ...source, "--platform", "windows_amd64"],
      2,
      "--compile windows_amd64",
    ],
    ["no runtime", ["main.ts", ...source, "--compile", "freebsd_amd64"], 2, "compiled for: darwin"],
    ["another name", ["main.ts", "--source", "example.com/acme/tools"], 1, "reports that it is"],
    ["another source", ["main.ts", "--source", "example.org/acme/notes"], 1, "reports the source"],
  ])("%s", (_, args, code, message) => {
    const { status, stderr } = pack(unchanged, args);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(status).toBe(code);
    expect(readdirSync(unchanged)).not.toContain("release");
  });

  test("esbuild is missing", () => {
    const { status, stderr } = pack(guideProject([]), ["main.ts", ...source]);
    expect(status).toBe(1);
    expect(stderr).toContain("npm install --save-dev esbuild");
  });

  test("a module is missing, with its place", () => {
    const project = guideProject();
    writeFiles(project, { "notes.ts": 'import "./nothing";' });
    const { status, stderr } = pack(project, ["main.ts", ...source]);
    expect(status).toBe(1);
    expect(stderr).toContain('notes.ts:1: Could not resolve "./nothing"');
  });

  test("a fixed version", () => {
    const project = guideProject();
    const main = readFileSync(join(project, "main.ts"), "utf8");
    writeFiles(project, { "main.ts": main.replace(/version: .*/, 'version: "1.0.0",') });
    const { status, stderr } = pack(project, ["main.ts", ...source]);
    expect(status).toBe(1);
    expect(stderr).toContain('"terraform-provider-notes 1.0.0", but its package is');
    expect(stderr).toContain("TRIVET_PROVIDER_VERSION");
  });

  test("a program that fails when it starts", () => {
    const project = guideProject();
    writeFiles(project, { "main.ts": 'throw new Error("no such luck");' });
    const { status, stderr } = pack(project, ["main.ts", ...source]);
    expect(status).toBe(1);
    expect(stderr).toContain("The packed provider does not start.");
    expect(stderr).toContain("no such luck");
  });

  test("GnuPG is missing", () => {
    const bin = temporaryFolder();
    for (const name of ["node", "sh", "sleep"]) {
      const path = execFileSync("which", [name]).toString().trim();
      execFileSync("ln", ["-s", path, join(bin, name)]);
    }
    const args = ["main.ts", ...source, "--gpg-key", "release@acme.example"];
    const { status, stderr } = pack(unchanged, args, { PATH: bin });
    expect(status).toBe(1);
    expect(stderr).toContain("`gpg` is not on PATH");
  });
});
