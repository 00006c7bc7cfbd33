import type { Properties } from "../../json/plain-json";
import { type ImagePlace, readImage, walkImages } from "../image/walk-images";
import { isIndexType, readDescriptor } from "../oci/protocol/descriptor";
import { ReadBudget } from "../oci/protocol/read-budget";
import { readJsonObject } from "../oci/protocol/read-json";
import { RegistryError } from "../oci/protocol/registry-error";
import type { Digest } from "../oci/reference/digest";
import type { Manifest } from "../oci/registry/manifests";
import { readConfiguration } from "./configuration-fields";

const maxBytes = 16 * 1024 * 1024;

/**
 * Reads the configuration of an image, or of each image in an index, by their platforms (`linux/arm64/v8`), with the fields
 * that policies have in a cluster.
 *
 * @throws RegistryError, ImageError
 */
export async function imageConfigurations(
  place: ImagePlace,
  digest: Digest,
): Promise<Readonly<Record<string, object>>> {
  const budget = new ReadBudget(maxBytes);
  const found: Record<string, object> = {};
  for await (const { manifest, problems } of walkImages(place, await readImage(place, digest))) {
    for (const problem of problems) throw problem;
    if (manifest === undefined || isIndexType(manifest.mediaType)) continue;
    const configuration = await configurationOf(place, manifest, budget);
    found[platformOf(configuration)] = configuration;
  }
  return found;
}

async function configurationOf(
  { registry, repository, context }: ImagePlace,
  { digest, json: { config } }: Manifest,
  budget: ReadBudget,
): Promise<Properties> {
  const blob = readDescriptor(config);
  if (blob === undefined) {
    throw unreadable("MALFORMED_ANSWER", `the manifest ${digest} has no configuration`);
  }
  if (!budget.take(blob.size)) {
    throw unreadable("TOO_LARGE", "the configurations have more than 16 MiB");
  }
  const json = readJsonObject(await registry.blobs.get(repository, blob, context));
  const configuration = json && readConfiguration(json);
  if (configuration !== undefined) return configuration;
  throw unreadable("MALFORMED_ANSWER", `${blob.digest} is not the configuration of an image`);
}

const unreadable = (code: "MALFORMED_ANSWER" | "TOO_LARGE", message: string) =>
  new RegistryError({ code, message });

/** Writes a platform as Go's libraries do: `linux/arm64/v8`, `windows/amd64:10.0.20348.2340`. */
function platformOf({ os, architecture, variant, "os.version": version }: Properties): string {
  if (typeof os !== "string" || os === "") return "";
  const parts = [os, architecture, variant].filter((part) => typeof part === "string" && part);
  return parts.join("/") + (typeof version === "string" ? `:${version}` : "");
}
