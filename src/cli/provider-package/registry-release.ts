import { checksumLines, contentHash } from "./digests";
import type { ProviderPackage } from "./provider-package";
import { zipPackage } from "./zip";

/**
 * The manifest that a registry requires in a release: the versions of Terraform's plugin protocol that it
 * speaks.
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
