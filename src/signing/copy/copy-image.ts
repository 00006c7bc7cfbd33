import type { CallContext } from "../../http/call-context";
import type { DigestReference } from "../oci/reference/digest-reference";
import { formatRepository, type Repository } from "../oci/reference/repository";
import type { RegistryClient } from "../oci/registry/client";
import { copyAttachments } from "./copy-attachments";
import { copyManifest, readSource, type CopyRun } from "./copy-manifest";
import { createCounter, type CopyCounts, type CopyStep } from "./copy-progress";
import { createWorkPool } from "./work-pool";

/** How to copy an image. */
export interface CopySettings {
  readonly client: RegistryClient;
  readonly context: CallContext;
  /** Called after each blob and manifest. */
  readonly onStep?: ((step: CopyStep) => void) | undefined;
  /** Maximum number of blobs copied in parallel. @default 4 */
  readonly parallelBlobs?: number | undefined;
}

/** What was copied. */
export interface CopyResult extends CopyCounts {
  /** `<destination>@<digest>` */
  readonly copiedRef: string;
  /** Number of referrers of the image and, if it is an index, of its images. */
  readonly referrers: number;
  /** Warnings for the user. */
  readonly warnings: readonly string[];
}

/**
 * Copies an image, or an index with its images, and everything attached to them to another repository.
 * All content is verified against its digest.
 *
 * Every manifest is written after the content that it refers to, so an interrupted copy leaves nothing
 * incomplete, and a second run continues where the first one stopped. The image gets no tag.
 *
 * @throws RegistryError | CopyError
 */
export async function copyImage(
  source: DigestReference,
  destination: Repository,
  { client, context, onStep = () => undefined, parallelBlobs = 4 }: CopySettings,
): Promise<CopyResult> {
  const counter = createCounter(onStep);
  const { registry, path, digest } = source;
  const run: CopyRun = {
    ...{ client, destination, context, counter },
    source: { registry, path },
    pool: createWorkPool(parallelBlobs),
    blobs: new Map(),
    manifests: new Set(),
  };
  await copyManifest(run, await readSource(run, digest));
  const warnings: string[] = [];
  let referrers = 0;
  // Attachments may be signed too. Their own attachments are not copied: one level is enough.
  for (const subject of [...run.manifests]) {
    const attached = await copyAttachments(run, subject);
    referrers += attached.referrers;
    warnings.push(...attached.warnings);
  }
  const copiedRef = `${formatRepository(destination)}@${digest}`;
  return { copiedRef, ...counter.counts(), referrers, warnings };
}
