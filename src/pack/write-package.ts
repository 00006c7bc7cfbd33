import { chmod, mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
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
  if (await hasContent(folder, files)) return false;
  await mkdir(dirname(folder), { recursive: true });
  const fresh = await mkdtemp(`${folder}.new-`);
  for (const [name, content] of files) await writeFile(join(fresh, name), content);
  await chmod(join(fresh, executable), 0o755);
  await chmod(fresh, 0o755);
  await rm(folder, { recursive: true, force: true });
  await rename(fresh, folder);
  return true;
}

async function hasContent(folder: string, files: ProviderPackage["files"]): Promise<boolean> {
  try {
    const present = await readdir(folder);
    if (present.length !== files.size) return false;
    for (const [name, content] of files) {
      if (!Buffer.from(content).equals(await readFile(join(folder, name)))) return false;
    }
    return true;
  } catch {
    return false;
  }
}
