import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readLockFile } from "../../../src/cli/stack/required-providers";
import { cliConfiguration } from "../../../src/cli/exec/cli-configuration";
import { installPackage } from "../../../src/cli/package/install-package";
import { packageHash } from "../../../src/cli/provider-package/package-content";
import { terraformPlatform } from "../../../src/cli/package/platform";
import { writeBuiltPackage } from "../package-fixture";
import { temporaryFolder } from "../temporary-folder";

describe("the checksum of a package", () => {
  it("is the one that terraform writes into the lock file", async () => {
    const root = temporaryFolder();
    const mirror = join(root, "mirror");
    const built = writeBuiltPackage(root, { version: "0.1.0" });
    mkdirSync(join(built.folder, "more"));
    writeFileSync(join(built.folder, "more", "a-file"), "content");
    writeFileSync(join(built.folder, "more.txt"), "");
    // In UTF-16, the second one comes first.
    writeFileSync(join(built.folder, "\uFF5E"), "tilde");
    writeFileSync(join(built.folder, "\u{1F600}"), "face");
    mkdirSync(join(built.folder, "empty"));
    const { folder } = await installPackage(built, { mirror, platform: terraformPlatform() });
    writeFileSync(join(root, "terraform.rc"), cliConfiguration([mirror], []).text);
    writeFileSync(
      join(root, "main.tf"),
      'terraform {\n  required_providers {\n    ids = { source = "trivet.local/trivet/ids" }\n  }\n}\n',
    );
    execFileSync("terraform", ["init"], {
      cwd: root,
      env: {
        ...process.env,
        TF_CLI_CONFIG_FILE: join(root, "terraform.rc"),
        CHECKPOINT_DISABLE: "1",
      },
    });
    const lock = readLockFile(readFileSync(join(root, ".terraform.lock.hcl"), "utf8"));
    expect(lock).toEqual([
      { source: "trivet.local/trivet/ids", version: "0.1.0", hashes: [await packageHash(folder)] },
    ]);
  });

  it.each([
    ["a line break", "a\nb"],
    ["other bytes than UTF-8", Buffer.from([0x61, 0xff])],
  ])("does not exist if a name has %s", async (_, name) => {
    const folder = temporaryFolder();
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name)]), "");
    await expect(packageHash(folder)).rejects.toThrow(
      /has a name with (?:a line break|bytes that)/,
    );
  });
});
