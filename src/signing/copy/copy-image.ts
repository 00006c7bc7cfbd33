import type { CallContext } from "../../http/call-context";
import type { DigestReference } from "../oci/reference/digest-reference";
import { formatRepository, type Repository } from "../oci/reference/repository";
import type { RegistryClient } from "../oci/registry/client";
import { copyAttachments } from "./copy-attachments";
import { copyManifest, readSource, type CopyRun } from "./copy-manifest";
import { createCounter, type CopyCounts, type CopyStep } from "./copy-progress";
import { createWorkPool } from "./work-pool";

export interface CopySettings {
  readonly client: RegistryClient;
  readonly context: CallContext;
  /** Called after each piece. */
  readonly onStep?: ((step: CopyStep) => void) | undefined;
  /** How many blobs go over at a time. @default 4 */
  readonly parallelBlobs?: number | undefined;
}

export interface CopyResult extends CopyCounts {
  /** `<destination>@<digest>` */
  readonly copiedRef: string;
  /** Of the image and, if it is an index, of its images. */
  readonly referrers: number;
  /** What was found on the way that the user should know, as sentences. */
  readonly warnings: readonly string[];
}

/**
 * Copies an image, or an index with its images, and what is attached to them, from one repository to
 * another, by digests: what arrives is what left.
 *
 * Every manifest comes after what it names, so an interrupted copy shows nothing incomplete, and running it
 * again goes on where it was. The image gets no tag.
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
    manifests: new Map(),
  };
  await copyManifest(run, await readSource(run, digest));
  const warnings: string[] = [];
  let referrers = 0;
  // What is attached to an image is copied after it, and may itself be signed: once around is enough.
  for (const subject of [...run.manifests.keys()]) {
    const attached = await copyAttachments(run, subject);
    referrers += attached.referrers;
    warnings.push(...attached.warnings);
  }
  const copiedRef = `${formatRepository(destination)}@${digest}`;
  return { copiedRef, ...counter.counts(), referrers, warnings };
}
