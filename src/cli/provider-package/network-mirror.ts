import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isObject } from "../../core/json/plain-json";
import { parseJson } from "../../core/json/parse-json";
import { hasCode } from "../../core/process/system-error";
import { sha256 } from "./digests";
import type { RegistryRelease } from "./registry-release";

/**
 * Adds a release to a folder that any web server can serve as a network mirror. The folder is a filesystem
 * mirror as well.
 *
 * @param folder the folder of the mirror
 * @param source the provider's source address with a host, such as `example.com/acme/notes`
 * @see https://developer.hashicorp.com/terraform/internals/provider-network-mirror-protocol
 * @throws Error if the mirror's list of versions has another format
 */
export async function addToMirror(
  folder: string,
  source: string,
  release: RegistryRelease,
): Promise<void> {
  const place = join(folder, ...source.split("/"));
  const index = join(place, "index.json");
  const versions = new Set([...(await readVersions(index)), release.version]);
  const archives: Record<string, unknown> = {};
  await mkdir(place, { recursive: true });
  for (const [platform, { file, hash }] of [...release.archives].sort()) {
    const zip = release.files.get(file) ?? new Uint8Array();
    archives[platform] = { url: file, hashes: [hash, `zh:${sha256(zip)}`] };
    await writeFile(join(place, file), zip);
  }
  await writeFile(join(place, `${release.version}.json`), json({ archives }));
  // Last, so that a version is listed only once it is complete.
  const listed = Object.fromEntries([...versions].sort().map((version) => [version, {}]));
  await writeFile(index, json({ versions: listed }));
}

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

async function readVersions(index: string): Promise<string[]> {
  const text = await readFile(index, "utf8").catch((failure: unknown) => {
    if (hasCode(failure, "ENOENT")) return '{"versions":{}}';
    throw failure;
  });
  const found = parseJson(text);
  if (!isObject(found) || !isObject(found["versions"])) {
    throw new Error(`${index} is not the list of versions of a network mirror`);
  }
  return Object.keys(found["versions"]);
}
