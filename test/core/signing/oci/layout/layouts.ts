import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLayoutClient } from "../../../../../src/core/signing/oci/layout/layout-client";
import {
  type RegistryClient,
  withLayouts,
} from "../../../../../src/core/signing/oci/registry/client";
import { tagOfDigest, type Digest } from "../../../../../src/core/signing/oci/reference/descriptor";
import type { Repository } from "../../../../../src/core/signing/oci/reference/image-name";
import { closeAfterTest } from "../../../http/close-after-test";
import {
  openClient,
  openRegistry,
  pushImage,
  pushIndex,
  pushReferrer,
} from "../registry/registries";

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "trivet-layout-"));
  closeAfterTest(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A client for registries that also reads and writes layouts. */
export const clientWithLayouts = (
  registry: RegistryClient,
  settings?: Parameters<typeof createLayoutClient>[0],
): RegistryClient => withLayouts(registry, () => Promise.resolve(createLayoutClient(settings)));

export const layoutKinds = ["oci:", "oci-archive:"] as const;

/** A path where nothing is yet. */
export const newLayout = (registry: (typeof layoutKinds)[number] = "oci:"): Repository => ({
  registry,
  path: join(newFolder(), "mirror"),
});

/** An index of two images in a registry: the second with a legacy signature and a bundle, and a bundle of the index. */
export async function openSource() {
  const registry = await openRegistry("ours");
  const client = clientWithLayouts(openClient());
  const repository = { registry, path: "lab/app" };
  const one = await pushImage(client, repository, "one");
  const two = await pushImage(client, repository, "two");
  const index = await pushIndex(client, repository, [one, two]);
  const tag = tagOfDigest(two.digest, ".sig");
  const signature = await pushImage(client, repository, "signature", { tag });
  const bundles = [
    await pushReferrer(client, repository, two, "bundle of two"),
    await pushReferrer(client, repository, index, "bundle of the index"),
  ] as const;
  return { registry, client, repository, one, two, index, signature, bundles };
}

interface ListedEntry {
  readonly digest: Digest;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** What index.json of a layout in a folder lists. */
export function listed({ path }: Repository): readonly ListedEntry[] {
  const json = JSON.parse(readFileSync(join(path, "index.json"), "utf8")) as {
    readonly manifests: readonly ListedEntry[];
  };
  return json.manifests;
}

export const tagsOf = (layout: Repository): Readonly<Record<string, Digest>> =>
  Object.fromEntries(
    listed(layout).flatMap(({ digest, annotations = {} }) => {
      const tag = annotations["org.opencontainers.image.ref.name"];
      return tag === undefined ? [] : [[tag, digest]];
    }),
  );
