import type { CallContext } from "../../http/call-context";
import { type Intended, type SigningRequest, SigningRun } from "../attach/signing-run";
import { attachToEach } from "../attach/write-each";
import type { Written } from "../attach/written";
import { type Digest, digestOf, sha256Hex } from "../oci/reference/descriptor";
import { formatRepository } from "../oci/reference/image-name";
import type { SigningServices } from "../provider/services";
import { simpleSigningPayload } from "../sigstore/format/manifest";
import { signPredicateType, signStatement } from "../sigstore/format/statement";

// Writing is mostly waiting for the network.
const parallel = 4;

/**
 * Signs an image; if the request is recursive, the images of an index before the index itself. Attestations that a builder
 * added to the index are signed, too, as other tools do.
 *
 * Every signature is verified before it is written. An interruption leaves nothing half written; run
 * again, it signs what is not signed yet, unless `conflict` is `APPEND`.
 *
 * @returns everything of ours that is now in the registry
 * @throws SigningError, ImageError, ServiceError, RegistryError
 */
export async function signImage(
  request: SigningRequest,
  services: SigningServices,
  context: CallContext,
): Promise<Written> {
  const run = new SigningRun(request, "hashedrekord/0.0.1", services, context);
  const dockerReference = formatRepository(run.repository);
  return attachToEach(run, {
    image: request.image.digest,
    isRecursive: request.isRecursive ?? true,
    purpose: "signature",
    parallel,
    about: (digest) => ({
      forLayers: [layerPayload(dockerReference, digest)],
      forBundles: [bundlePayload(digest)],
    }),
  });
}

function layerPayload(dockerReference: string, digest: Digest): Intended {
  const bytes = simpleSigningPayload({ dockerReference, digest });
  return { bytes, type: digestOf(bytes), sha256: sha256Hex(bytes) };
}

// In a bundle, a signature is a statement without a predicate.
function bundlePayload(digest: Digest): Intended {
  const bytes = signStatement(digest);
  return { bytes, type: signPredicateType, sha256: sha256Hex(bytes) };
}
