import { isObject } from "../../json/is-object";
import { isDigest } from "../oci/reference/digest";
import { signingTypes } from "../sigstore/format/signing-types";
import { writeAttachedImage } from "../sigstore/format/attached-image";
import type { Descriptor } from "../oci/protocol/descriptor";
import { maxManifestBytes, type Manifest, type NewManifest } from "../oci/registry/manifests";
import type { JsonObject } from "../oci/protocol/read-json";
import { SigningError } from "../run/signing-error";

const maxLayers = 1_000;

export interface AttachedManifest {
  readonly manifest: NewManifest;
  readonly config: Buffer;
}

/**
 * The image of a tag with these layers, in this order. What others wrote into the manifest stays, with
 * members that we do not know.
 *
 * @throws SigningError `TOO_MANY_LAYERS`
 */
export function attachedManifest(
  layers: readonly JsonObject[],
  current: Manifest | undefined,
  tag: string,
): AttachedManifest {
  checkLayerCount(layers.length, tag);
  const { config, configDescriptor } = writeAttachedImage(layers.map(layerName));
  const before = current?.json ?? {};
  const { mediaType: configType = configDescriptor.mediaType } = isObject(before["config"])
    ? before["config"]
    : {};
  const json = {
    schemaVersion: 2,
    mediaType: current?.mediaType ?? newManifestType,
    ...before,
    config: { ...configDescriptor, mediaType: configType },
    layers,
  };
  const bytes = Buffer.from(JSON.stringify(json), "utf8");
  if (bytes.byteLength > maxManifestBytes) throw tooMany(tag, "a manifest of more than 4 MiB");
  return { manifest: { mediaType: current?.mediaType ?? newManifestType, bytes }, config };
}

/** @throws SigningError `TOO_MANY_LAYERS` */
export function checkLayerCount(layers: number, tag: string): void {
  if (layers > maxLayers) throw tooMany(tag, `more than ${maxLayers} layers`);
}

const newManifestType = "application/vnd.oci.image.manifest.v1+json";

/** As much as the configuration says of a layer. */
function layerName({ digest }: JsonObject): Descriptor {
  const named = typeof digest === "string" && isDigest(digest) ? digest : unnamed;
  return { mediaType: signingTypes.dsseEnvelope, size: 0, digest: named };
}

// The configuration is read by nobody, but names as many layers as there are.
const unnamed = `sha256:${"0".repeat(64)}` as const;

function tooMany(tag: string, what: string): SigningError {
  const message =
    `the tag ${tag} would have ${what}, which is more than tools read; ` +
    "remove signatures that nobody needs from it, and run it again";
  return new SigningError("TOO_MANY_LAYERS", message);
}
