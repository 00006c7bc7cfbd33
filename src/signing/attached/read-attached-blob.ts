import { isAboutContent } from "../oci/protocol/is-about-content";
import type { ReadBudget } from "../oci/protocol/read-budget";
import type { BlobName } from "../oci/registry/blobs";
import { RegistryError } from "../oci/protocol/registry-error";
import type { SigningRun } from "../run/signing-run";

/** Reads attached content; undefined if it is missing, broken, or too large for the rest of the budget. */
export async function readAttachedBlob(
  run: SigningRun,
  blob: BlobName,
  budget: ReadBudget,
): Promise<Buffer | undefined> {
  if (!budget.take(blob.size)) {
    run.say("did not read what is attached: it is too large", {
      blob: blob.digest,
      bytes: blob.size,
    });
    return undefined;
  }
  try {
    return await run.services.registry.blobs.get(run.repository, blob, run.context);
  } catch (error) {
    if (error instanceof RegistryError && isAboutContent(error)) return undefined;
    throw error;
  }
}
