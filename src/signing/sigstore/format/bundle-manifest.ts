import { annotation } from "./annotation";
import { writeDescriptor } from "./attached-image";
import { mediaTypes, type Descriptor } from "../../oci/protocol/descriptor";
import { digestOf } from "../../oci/reference/digest";
import { signingTypes } from "./signing-types";

/**
 * The content of an empty configuration.
 *
 * @see https://github.com/opencontainers/image-spec/blob/main/manifest.md#guidance-for-an-empty-descriptor
 */
export const emptyConfig = Buffer.from("{}", "utf8");

/** The properties of a bundle's manifest. */
interface BundleManifestProps {
  /** The image that the bundle is about. */
  readonly subject: Descriptor;
  readonly bundle: Uint8Array;
  readonly predicateType: string;
  readonly created: Date;
}

/** Serializes the manifest through which a bundle refers to an image. */
export function writeBundleManifest(props: BundleManifestProps): Buffer {
  const { subject, bundle, predicateType, created } = props;
  const text = JSON.stringify({
    schemaVersion: 2,
    mediaType: mediaTypes.imageManifest,
    artifactType: signingTypes.bundle,
    config: {
      mediaType: signingTypes.emptyConfig,
      size: emptyConfig.byteLength,
      digest: digestOf(emptyConfig),
      artifactType: signingTypes.bundle,
    },
    layers: [{ mediaType: signingTypes.bundle, size: bundle.byteLength, digest: digestOf(bundle) }],
    annotations: {
      [annotation.bundleContent]: "dsse-envelope",
      [annotation.bundlePredicateType]: predicateType,
      [annotation.created]: `${created.toISOString().slice(0, 19)}Z`,
    },
    subject: writeDescriptor({
      mediaType: subject.mediaType,
      size: subject.size,
      digest: subject.digest,
    }),
  });
  return Buffer.from(text, "utf8");
}
