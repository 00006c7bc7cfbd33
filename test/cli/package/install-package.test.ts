import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { CommandError } from "../../../src/cli/invocation/failure";
import { installPackage } from "../../../src/cli/package/install-package";
import { mirrorFolder, providerFolder } from "../../../src/cli/package/mirror";
import { terraformPlatform } from "../../../src/cli/package/platform";
import { writeBuiltPackage } from "../package-fixture";
import { temporaryFolder } from "../temporary-folder";

const platform = "linux_amd64";

describe("installing a package", () => {
  it("puts it where terraform looks in an unpacked mirror, executable", async () => {
    const mirror = temporaryFolder();
    const built = writeBuiltPackage(temporaryFolder(), { version: "0.1.0" });
    const { folder, outcome } = await installPackage(built, { mirror, platform });
    expect(outcome).toBe("installed");
    expect(folder).toBe(join(mirror, "trivet.local/trivet/ids/0.1.0/linux_amd64"));
    expect(statSync(join(folder, built.executable)).mode & 0o777).toBe(0o755);
    expect(readdirSync(providerFolder(mirror, "ids"))).toEqual(["0.1.0"]);
  });

  it("does not change a package with the same content", async () => {
    const mirror = temporaryFolder();
    const built = writeBuiltPackage(temporaryFolder(), { version: "0.1.0" });
    const { folder } = await installPackage(built, { mirror, platform });
    const before = statSync(folder).ino;
    expect(await installPackage(built, { mirror, platform })).toMatchObject({
      outcome: "unchanged",
    });
    expect(statSync(folder).ino).toBe(before);
  });

  it("refuses a release with different content, naming the fix, and replaces it when forced", async () => {
    const mirror = temporaryFolder();
    const first = writeBuiltPackage(temporaryFolder(), { version: "0.1.0", body: "exit 1" });
    const second = writeBuiltPackage(temporaryFolder(), { version: "0.1.0", body: "exit 2" });
    const { folder } = await installPackage(first, { mirror, platform });
    const refusal = installPackage(second, { mirror, platform });
    await expect(refusal).rejects.toBeInstanceOf(CommandError);
    await expect(refusal).rejects.toMatchObject({
      advice: expect.stringContaining("--force") as string,
    });
    expect(readFileSync(join(folder, first.executable), "utf8")).toContain("exit 1");

    const forced = await installPackage(second, { mirror, platform, force: true });
    expect(forced.outcome).toBe("replaced");
    expect(readFileSync(join(folder, first.executable), "utf8")).toContain("exit 2");
  });

  it("repairs a development version whose folder was damaged", async () => {
    const mirror = temporaryFolder();
    const built = writeBuiltPackage(temporaryFolder(), { version: "0.0.5-dev" });
    const { folder } = await installPackage(built, { mirror, platform });
    writeFileSync(join(folder, "cache"), "x");
    expect((await installPackage(built, { mirror, platform })).outcome).toBe("replaced");
    expect(existsSync(join(folder, "cache"))).toBe(false);
  });

  it("keeps the five newest development versions and all releases", async () => {
    const mirror = temporaryFolder();
    const root = temporaryFolder();
    await installPackage(writeBuiltPackage(root, { version: "0.1.0" }), { mirror, platform });
    const provider = providerFolder(mirror, "ids");
    const removed: string[] = [];
    for (let build = 1; build <= 7; build++) {
      const version = `0.0.${build}-dev`;
      const built = writeBuiltPackage(temporaryFolder(), { version });
      removed.push(...(await installPackage(built, { mirror, platform })).removed);
      utimesSync(join(provider, version), build, build);
    }
    expect(removed).toEqual(["0.0.1-dev", "0.0.2-dev"]);
    expect(readdirSync(provider).sort()).toEqual(
      ["0.0.3-dev", "0.0.4-dev", "0.0.5-dev", "0.0.6-dev", "0.0.7-dev", "0.1.0"].sort(),
    );
  });

  it("survives another installation of the same package at the same time", async () => {
    const mirror = temporaryFolder();
    const built = writeBuiltPackage(temporaryFolder(), { version: "0.1.0" });
    const all = await Promise.all(
      Array.from({ length: 4 }, () => installPackage(built, { mirror, platform })),
    );
    expect(all.map(({ folder }) => existsSync(join(folder, built.executable)))).not.toContain(
      false,
    );
    expect(readdirSync(providerFolder(mirror, "ids"))).toEqual(["0.1.0"]);
  });
});

describe("a package that is refused", () => {
  const mirror = temporaryFolder();
  const built = (version = "0.1.0") => writeBuiltPackage(temporaryFolder(), { version });
  afterEach(() => expect(readdirSync(mirror)).toEqual([]));

  it.each([
    ["..", "0.1.0"],
    ["../../core/ids", "0.1.0"],
    ["ids/../../..", "0.1.0"],
    ["", "0.1.0"],
    [".", "0.1.0"],
    ["/ids", "0.1.0"],
    ["Ids", "0.1.0"],
    ["i d", "0.1.0"],
    ["ids", ".."],
    ["ids", "../0.1.0"],
    ["ids", "0.1.0/../../x"],
    ["ids", "0.1.0-dev/.."],
    ["ids", "v0.1.0"],
    ["ids", "0.1"],
    ["ids", ""],
  ])("is called %j %j", async (name, version) => {
    const refusal = installPackage({ ...built(), name, version }, { mirror, platform });
    await expect(refusal).rejects.toMatchObject({
      name: "CommandError",
      message: `The package to install has the name ${JSON.stringify(name)} and the version ${JSON.stringify(version)}, which no provider can have.`,
    });
  });

  it.each(["../linux_amd64", "..", "", "linux_amd64/.."])(
    "is for the platform %j",
    async (other) => {
      await expect(installPackage(built(), { mirror, platform: other })).rejects.toThrow(
        `The platform ${JSON.stringify(other)} does not exist`,
      );
    },
  );

  it.each([
    ["a symbolic link", (path: string) => symlinkSync("provider.cjs", path)],
    ["a symbolic link", (path: string) => symlinkSync("/etc", path)],
    ["neither a file nor a folder", (path: string) => execFileSync("mkfifo", [path])],
  ])("contains %s", async (what, create) => {
    const release = built();
    mkdirSync(join(release.folder, "sub"));
    create(join(release.folder, "sub", "x"));
    await expect(installPackage(release, { mirror, platform })).rejects.toMatchObject({
      name: "CommandError",
      message: expect.stringContaining(`${join("sub", "x")} is ${what}`) as string,
    });
  });

  it("does not contain its executable", async () => {
    const executable = "../terraform-provider-ids_v0.1.0";
    const release = { ...built(), executable };
    writeFileSync(join(release.folder, executable), "");
    await expect(installPackage(release, { mirror, platform })).rejects.toThrow(
      `contains no file "../terraform-provider-ids_v0.1.0"`,
    );
    expect(statSync(join(release.folder, executable)).mode & 0o111).toBe(0);
  });
});

test("an installed package to which somebody added a link is not the same any more", async () => {
  const mirror = temporaryFolder();
  const built = writeBuiltPackage(temporaryFolder(), { version: "0.1.0" });
  const { folder } = await installPackage(built, { mirror, platform });
  symlinkSync("/etc/passwd", join(folder, "more"));
  await expect(installPackage(built, { mirror, platform })).rejects.toThrow("different content");
  const { outcome } = await installPackage(built, { mirror, platform, force: true });
  expect(outcome).toBe("replaced");
  expect(readdirSync(folder)).not.toContain("more");
});

describe("the mirror's location", () => {
  const around = { env: { APPDATA: "/roaming" }, home: "/home/u", workingFolder: "/opt" };

  it.each([
    ["linux", undefined, "/home/u/.terraform.d/plugins"],
    ["darwin", undefined, "/home/u/.terraform.d/plugins"],
    ["win32", undefined, "/roaming/terraform.d/plugins"],
    ["linux", "m", "/opt/m"],
  ] as const)("is on %s with --dir %s: %s", (system, dir, folder) => {
    expect(mirrorFolder(dir, { ...around, platform: system })).toBe(folder);
  });

  it.each([
    ["linux", "x64", "linux_amd64"],
    ["darwin", "arm64", "darwin_arm64"],
    ["win32", "ia32", "windows_386"],
  ])("names %s %s as terraform does: %s", (system, architecture, name) => {
    expect(terraformPlatform(system, architecture)).toBe(name);
  });
});
