import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { refuseTrackedKeys } from "../../../../src/local/signing/start-local-signing";
import { temporaryFolder } from "../local-services";

const { env } = process;
afterEach(() => {
  process.env = env;
});

/** A repository that tracks keys. */
async function repository() {
  const root = await temporaryFolder();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root });
  const keys = join(root, "signing", "keys");
  await mkdir(keys, { recursive: true });
  await writeFile(join(keys, "a.pem"), "key");
  git("init", "--quiet");
  git("add", "--all");
  return { root, keys };
}

test("keys outside of a repository are accepted", async () => {
  const folder = await temporaryFolder();
  await refuseTrackedKeys(join(folder, "keys"));
});

test("keys in a repository that does not track them are accepted", async () => {
  const { root } = await repository();
  await refuseTrackedKeys(join(root, "other", "keys"));
  await refuseTrackedKeys(join(root, "signing", "key*"));
});

test("tracked keys are refused, also through a link", async () => {
  const { root, keys } = await repository();
  await expect(refuseTrackedKeys(keys)).rejects.toThrow("A git repository contains keys in");
  const link = join(await temporaryFolder(), "link");
  await symlink(join(root, "signing"), link);
  await expect(refuseTrackedKeys(join(link, "keys"))).rejects.toMatchObject({
    advice: expect.stringContaining("git rm -r --cached") as string,
  });
});

test("a hook's variables do not name another repository", async () => {
  const { keys } = await repository();
  const { root } = await repository();
  process.env = { ...env, GIT_DIR: join(root, ".git"), GIT_INDEX_FILE: join(root, "none") };
  await expect(refuseTrackedKeys(keys)).rejects.toThrow("A git repository contains keys in");
});

test("without git, keys are accepted only outside of a repository", async () => {
  const { root, keys } = await repository();
  process.env = { ...env, PATH: root };
  await refuseTrackedKeys(join(await temporaryFolder(), "keys"));
  await expect(refuseTrackedKeys(keys)).rejects.toThrow(
    `Git cannot check whether a repository contains the keys in ${keys}: git is not on PATH.`,
  );
});

test("if git fails, its words say why", async () => {
  const { root, keys } = await repository();
  await writeFile(join(root, ".git", "index"), "damaged");
  await expect(refuseTrackedKeys(keys)).rejects.toThrow(/cannot check .*: .*index file/);
});
