import { digestOf, type Digest } from "../../../core/signing/oci/reference/descriptor";
import { BlobStore } from "./blob-store";
import { parseManifest } from "./manifest";
import { ManifestStore } from "./manifest-store";
import { checkRepository } from "./registry-failure";

const manifestType = "application/vnd.oci.image.manifest.v1+json";
const tag = "sample";

/**
 * Stores a small image with the tag `sample` in the folder of a registry, for experiments. It is always the same:
 * an image for linux/amd64 without a file.
 *
 * @param repository such as `build/app`
 * @returns the digest of the image
 * @throws RegistryFailure if the repository is not a valid name
 */
export async function storeSampleImage(folder: string, repository: string): Promise<Digest> {
  const name = checkRepository(repository);
  const blobs = new BlobStore(folder);
  // The end of a tar archive, which here is all of it.
  const layer = Buffer.alloc(1024);
  const config = json({
    architecture: "amd64",
    os: "linux",
    config: {},
    rootfs: { type: "layers", diff_ids: [digestOf(layer)] },
  });
  const manifest = json({
    schemaVersion: 2,
    mediaType: manifestType,
    config: descriptor("application/vnd.oci.image.config.v1+json", config),
    layers: [descriptor("application/vnd.oci.image.layer.v1.tar", layer)],
  });
  for (const blob of [config, layer]) {
    await blobs.write(digestOf(blob), blob);
    await blobs.mount(name, digestOf(blob));
  }
  const digest = digestOf(manifest);
  const parsed = parseManifest(manifest, manifestType);
  await new ManifestStore(folder, blobs).put(name, digest, manifest, parsed, [tag]);
  return digest;
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

const descriptor = (mediaType: string, bytes: Buffer) => ({
  mediaType,
  digest: digestOf(bytes),
  size: bytes.length,
});
