import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "../../core/json/parse-json";
import { isObject } from "../../core/json/plain-json";
import { ifAbsent } from "../../core/process/system-error";
import { checksumLines, contentHash, sha256 } from "./package-content";
import type { ProviderPackage } from "./provider-package";
import { zipSync } from "./zip-library";

/**
 * The manifest that a registry requires in a release: the supported versions of Terraform's plugin protocol.
 */
const registryManifest = `${JSON.stringify(
  { version: 1, metadata: { protocol_versions: ["6.0"] } },
  undefined,
  2,
)}\n`;

/** The zipped package of a provider for one or more platforms. */
export interface ProviderArchive {
  readonly zip: Uint8Array;
  /** Terraform's `h1:` checksum of the content. */
  readonly hash: string;
}

/** The files of a provider's release, as a registry expects them. */
export interface RegistryRelease {
  readonly name: string;
  readonly version: string;
  /** Platform, such as `linux_amd64`, to its zip file. */
  readonly archives: ReadonlyMap<string, { readonly file: string; readonly hash: string }>;
  /** File name to content: the zip files, the manifest, and the checksums of both. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The name of the file with the checksums, which is the file to sign. */
  readonly checksums: string;
}

/** Zips the package of a provider. */
export function providerArchive(made: ProviderPackage): ProviderArchive {
  return { zip: zipPackage(made.files, made.executable), hash: contentHash(made.files) };
}

/**
 * Creates the files of a release: a zip file for each platform, the manifest, and SHA256SUMS.
 *
 * @param archives by platform, such as `linux_amd64`
 * @see https://developer.hashicorp.com/terraform/registry/providers/publishing
 */
export function registryRelease(
  { name, version }: Pick<ProviderPackage, "name" | "version">,
  archives: ReadonlyMap<string, ProviderArchive>,
): RegistryRelease {
  const prefix = `terraform-provider-${name}_${version}`;
  const signed = new Map<string, Uint8Array>();
  const named = new Map<string, { readonly file: string; readonly hash: string }>();
  for (const [platform, { zip, hash }] of archives) {
    const file = `${prefix}_${platform}.zip`;
    signed.set(file, zip);
    named.set(platform, { file, hash });
  }
  signed.set(`${prefix}_manifest.json`, Buffer.from(registryManifest));
  const checksums = `${prefix}_SHA256SUMS`;
  const files = new Map(signed).set(checksums, Buffer.from(checksumLines(signed)));
  return { name, version, archives: named, files, checksums };
}

/**
 * Adds a release to a folder that any web server can serve as a network mirror. The folder is also a filesystem mirror.
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
  // Last, so that only complete versions are listed.
  const listed = Object.fromEntries([...versions].sort().map((version) => [version, {}]));
  await writeFile(index, json({ versions: listed }));
}

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

async function readVersions(index: string): Promise<string[]> {
  const text = await readFile(index, "utf8").catch(ifAbsent);
  const found = parseJson(text ?? '{"versions":{}}');
  if (!isObject(found) || !isObject(found["versions"])) {
    throw new Error(`${index} is not the list of versions of a network mirror`);
  }
  return Object.keys(found["versions"]);
}

/**
 * The earliest date that a zip file can contain. Zip files use local time, so this is the same everywhere.
 */
const earliest = new Date(1980, 0, 1);
const unix = 3;
const regularFile = 0o100000;

/**
 * Zips the files of a provider's package. The same files give the same bytes on every machine and with every
 * version of Node.js, because the compression is not the one of Node.js.
 *
 * @param executable the file that can be executed
 */
function zipPackage(files: ProviderPackage["files"], executable: string): Uint8Array {
  const names = [...files.keys()].sort();
  return zipSync(
    Object.fromEntries(
      names.map((name) => {
        const mode = regularFile | (name === executable ? 0o755 : 0o644);
        const attributes = {
          os: unix,
          attrs: mode * 0x1_00_00,
          mtime: earliest,
          level: 9,
        } as const;
        const content = files.get(name) ?? "";
        return [name, [typeof content === "string" ? Buffer.from(content) : content, attributes]];
      }),
    ),
  );
}
