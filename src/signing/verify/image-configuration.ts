import type { CallContext } from "../../http/call-context";
import type { Properties } from "../../json/plain-json";
import type { Digest } from "../oci/reference/digest";
import type { Repository } from "../oci/reference/repository";
import { readDescriptor } from "../oci/protocol/descriptor";
import { readJsonObject } from "../oci/protocol/read-json";
import { ReadBudget } from "../oci/protocol/read-budget";
import { RegistryError } from "../oci/protocol/registry-error";
import type { RegistryClient } from "../oci/registry/client";
import { readConfiguration } from "./configuration-fields";

interface Settings {
  readonly registry: RegistryClient;
  readonly repository: Repository;
  readonly digest: Digest;
  readonly context: CallContext;
}

// Far more images than any index has.
const maxImages = 200;
const maxBytes = 16 * 1024 * 1024;

/**
 * Reads the configuration of an image, or of each image in an index, by their platforms (`linux/arm64/v8`), with the fields
 * that policies have in a cluster.
 *
 * @throws RegistryError
 */
export async function imageConfigurations(
  settings: Settings,
): Promise<Readonly<Record<string, object>>> {
  const budget = new ReadBudget(maxBytes);
  const found: Record<string, object> = {};
  // An index can contain another one, and the same image twice.
  const waiting = new Set([settings.digest]);
  for (const digest of waiting) {
    if (waiting.size > maxImages) {
      throw unreadable("TOO_LARGE", `the index has more than ${maxImages} images`);
    }
    const { children, configuration } = await readManifest({ ...settings, digest }, budget);
    for (const child of children) waiting.add(child);
    if (configuration !== undefined) found[platformOf(configuration)] = configuration;
  }
  return found;
}

/** The images in an index, or the configuration of an image. */
async function readManifest(
  { registry, repository, digest, context }: Settings,
  budget: ReadBudget,
): Promise<{ readonly children: readonly Digest[]; readonly configuration?: Properties }> {
  const manifest = await registry.manifests.get(repository, digest, context);
  if (manifest === undefined) throw unreadable("NOT_FOUND", `the manifest ${digest} is missing`);
  const { manifests, config } = manifest.json;
  if (Array.isArray(manifests)) {
    const children = manifests.map((each: unknown) => readDescriptor(each)?.digest);
    const known = children.filter((each) => each !== undefined);
    if (known.length === children.length) return { children: known };
    throw unreadable("MALFORMED_ANSWER", `the index ${digest} has an entry that is no descriptor`);
  }
  const blob = readDescriptor(config);
  if (blob === undefined) {
    throw unreadable("MALFORMED_ANSWER", `the manifest ${digest} has no configuration`);
  }
  if (!budget.take(blob.size)) {
    throw unreadable("TOO_LARGE", "the configurations have more than 16 MiB");
  }
  const json = readJsonObject(await registry.blobs.get(repository, blob, context));
  const configuration = json && readConfiguration(json);
  if (configuration !== undefined) return { children: [], configuration };
  throw unreadable("MALFORMED_ANSWER", `${blob.digest} is not the configuration of an image`);
}

const unreadable = (code: "NOT_FOUND" | "MALFORMED_ANSWER" | "TOO_LARGE", message: string) =>
  new RegistryError({ code, message });

/** Writes a platform as Go's libraries do: `linux/arm64/v8`, `windows/amd64:10.0.20348.2340`. */
function platformOf({ os, architecture, variant, "os.version": version }: Properties): string {
  if (typeof os !== "string" || os === "") return "";
  const parts = [os, architecture, variant].filter((part) => typeof part === "string" && part);
  return parts.join("/") + (typeof version === "string" ? `:${version}` : "");
}
