import { Attachments } from "../../../../../src/core/signing/image/attachments";
import type { Digest } from "../../../../../src/core/signing/oci/reference/descriptor";
import type { Repository } from "../../../../../src/core/signing/oci/reference/image-name";
import type { RegistryClient } from "../../../../../src/core/signing/oci/registry/client";
import type { Manifest } from "../../../../../src/core/signing/oci/registry/manifests";
import { inTime } from "../../sign/signing-bench";

/** The manifests that refer to an image. */
export async function referrersOf(
  registry: RegistryClient,
  repository: Repository,
  digest: Digest,
): Promise<readonly Manifest[]> {
  const found: Manifest[] = [];
  const attachments = new Attachments({ registry, repository, context: inTime() }, digest);
  for await (const { manifest } of attachments.referrers()) {
    if ("json" in manifest) found.push(manifest);
  }
  return found;
}
