import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { contentHash } from "./digests";
import { hashIfPackage } from "./package-content";
import type { ProviderPackage } from "./provider-package";

/**
 * Replaces `folder` with the package's files atomically. A folder that already has this content is not
 * touched, so that a build without changes has no effect.
 *
 * @returns whether anything was written
 */
export async function writePackage(
  folder: string,
  { files, executable }: Pick<ProviderPackage, "files" | "executable">,
): Promise<boolean> {
  const present = await hashIfPackage(folder).catch(() => undefined);
  if (present === contentHash(files)) return false;
  await mkdir(dirname(folder), { recursive: true });
  const fresh = await mkdtemp(`${folder}.new-`);
  for (const [name, content] of files) {
    await mkdir(dirname(join(fresh, name)), { recursive: true });
    await writeFile(join(fresh, name), content);
  }
  await chmod(join(fresh, executable), 0o755);
  await chmod(fresh, 0o755);
  await rm(folder, { recursive: true, force: true });
  await rename(fresh, folder);
  return true;
}
