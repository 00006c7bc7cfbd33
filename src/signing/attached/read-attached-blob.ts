import type { BlobName } from "../oci/registry/blobs";
import { RegistryError, type RegistryErrorCode } from "../oci/protocol/registry-error";
import type { SigningRun } from "../run/signing-run";

/** Reads attached content; undefined if it is missing, broken or too large to be ours. */
export async function readAttachedBlob(
  { repository, services, context }: SigningRun,
  blob: BlobName,
): Promise<Buffer | undefined> {
  try {
    return await services.registry.blobs.get(repository, blob, context);
  } catch (error) {
    if (error instanceof RegistryError && unreadable.has(error.code)) return undefined;
    throw error;
  }
}

const unreadable: ReadonlySet<RegistryErrorCode> = new Set<RegistryErrorCode>([
  "NOT_FOUND",
  "WRONG_CONTENT",
  "TOO_LARGE",
  "MALFORMED_ANSWER",
]);
