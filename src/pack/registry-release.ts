import { checksumLines } from "./digests";
import type { ProviderPackage } from "./provider-package";
import { zipPackage } from "./zip";

/** What a registry asks about a release: the versions of Terraform's plugin protocol that it speaks. */
export const registryManifest = `${JSON.stringify(
  { version: 1, metadata: { protocol_versions: ["6.0"] } },
  undefined,
  2,
)}\n`;

/** The files of a provider's release, as a registry expects them. */
export interface RegistryRelease {
  readonly name: string;
  readonly version: string;
  /** Platform, such as `linux_amd64`, to the name of its zip file. */
  readonly archives: ReadonlyMap<string, string>;
  /** File name to content: the zip files, the manifest, and the checksums of both. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The file with the checksums, which is the one to sign. */
  readonly checksums: string;
}

/**
 * Makes the files of a release: a zip file for each platform, the manifest, and SHA256SUMS.
 *
 * @param platforms such as `linux_amd64`; the content is the same for all
 * @see https://developer.hashicorp.com/terraform/registry/providers/publishing
 */
export function registryRelease(
  { name, version, executable, files }: ProviderPackage,
  platforms: readonly string[],
): RegistryRelease {
  const prefix = `terraform-provider-${name}_${version}`;
  const zip = zipPackage(files, executable);
  const archives = new Map(platforms.map((each) => [each, `${prefix}_${each}.zip`]));
  const signed = new Map<string, Uint8Array>([...archives.values()].map((file) => [file, zip]));
  signed.set(`${prefix}_manifest.json`, Buffer.from(registryManifest));
  const checksums = `${prefix}_SHA256SUMS`;
  const all = new Map(signed).set(checksums, Buffer.from(checksumLines(signed)));
  return { name, version, archives, files: all, checksums };
}
