import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  requireSmallArchive,
  templateArchive,
} from "../../../../src/local/workspace/terraform/template-archive";
import { LocalPlatform } from "../../../../src/local/workspace/local-platform";
import { temporaryFolder } from "../temporary-folder";

function template(): string {
  const folder = join(temporaryFolder(), "template");
  mkdirSync(join(folder, "modules", "net"), { recursive: true });
  writeFileSync(join(folder, "main.tf"), "# 🙂\n");
  writeFileSync(join(folder, "modules", "net", "main.tf"), "x".repeat(1000));
  writeFileSync(join(folder, ".terraform.lock.hcl"), "# lock\n");
  symlinkSync("main.tf", join(folder, "linked.tf"));
  return folder;
}

test("an archive is as large as tar makes it", async () => {
  const folder = template();
  const names = ["main.tf", "modules", ".terraform.lock.hcl", "linked.tf"];
  const tar = execFileSync("tar", ["--format=ustar", "-b1", "-cf", "-", ...names], { cwd: folder });
  const { bytes, parts } = await templateArchive(folder);
  expect(bytes).toBe(tar.length);
  expect(parts[0]).toEqual({ name: "modules", bytes: 512 + 512 + 512 + 1024 });
});

test("hidden files, states and the values of variables are not in it", async () => {
  const folder = template();
  const { bytes } = await templateArchive(folder);
  mkdirSync(join(folder, ".terraform"));
  writeFileSync(join(folder, ".terraform", "big"), "x".repeat(5000));
  for (const name of [
    "terraform.tfstate",
    "x.tfstate.backup",
    "terraform.tfvars",
    "a.auto.tfvars",
  ]) {
    writeFileSync(join(folder, name), "x".repeat(5000));
  }
  expect((await templateArchive(folder)).bytes).toBe(bytes);
});

const archiveLimit = 1024 * 1024;

test("it may be exactly as large as the limit", async () => {
  const folder = template();
  const { bytes } = await templateArchive(folder);
  const file = join(folder, "data.bin");
  const room = archiveLimit - bytes - 512;
  writeFileSync(file, Buffer.alloc(room));
  await requireSmallArchive(folder);
  writeFileSync(file, Buffer.alloc(room + 1));
  await expect(requireSmallArchive(folder)).rejects.toThrow("The template takes 1049088 bytes, ");
});

test("an import and the first build refuse a template that is too big, and a deletion does not", async () => {
  const folder = template();
  writeFileSync(join(folder, "data.bin"), Buffer.alloc(archiveLimit));
  const stateFolder = join(temporaryFolder(), "state");
  const platform = new LocalPlatform({ template: folder, stateFolder });
  const refused = {
    code: "REFUSED",
    message: expect.stringMatching(
      /^Archive too big\. .*, data\.bin takes 1049088 of them \(seen with coder 2\.26\)\.$/,
    ) as string,
  };
  await expect(platform.importTemplate()).rejects.toMatchObject(refused);
  await expect(platform.build({ transition: "start" })).rejects.toMatchObject(refused);
  expect(await platform.build({ transition: "delete" })).toMatchObject({ skipped: true });
});
