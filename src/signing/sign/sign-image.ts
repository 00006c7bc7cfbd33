import type { CallContext } from "../../http/call-context";
import type { DigestReference } from "../oci/reference/reference";
import { type Digest, sha256Hex } from "../oci/reference/digest";
import { signPredicateType, signStatement } from "../sigstore/payload/statement";
import { formatRepository } from "../oci/reference/repository";
import type { Conflict } from "../attach/conflict";
import { inParallel } from "../copy/in-parallel";
import type { Written, WrittenBundle, WrittenLayer } from "../attach/written";
import { readImage } from "../attach/read-image";
import { signAsLayer } from "./sign-as-layer";
import type { SignatureFormat, SigningServices } from "../provider/signing-services";
import { signingRun } from "../attach/signing-run";
import { attestAsBundles, type PreparedStatement } from "../attach/attest-as-bundles";

/** What to sign and how. */
export interface SignRequest {
  readonly image: DigestReference;
  readonly conflict: Conflict;
  readonly format: SignatureFormat;
  /** Base URL of the certificate authority. */
  readonly fulcioUrl: string;
  /** Base URL of the transparency log. */
  readonly rekorUrl: string;
  /** What we wrote before. It counts as ours even without an identity token. */
  readonly previous?: Written | undefined;
}

// Writing is mostly waiting for the network.
const parallelImages = 4;

/**
 * Signs an image. In the legacy format, the images of an index are signed too, before the index itself.
 *
 * Every signature is verified before it is written. An interruption leaves nothing half written; run
 * again, it signs what is not signed yet, unless `conflict` is `APPEND`.
 *
 * @returns everything of ours that is now in the registry
 * @throws SigningError | ServiceError | RegistryError
 */
export async function signImage(
  request: SignRequest,
  services: SigningServices,
  context: CallContext,
): Promise<Written> {
  const { image, format } = request;
  const run = signingRun(request, services, context);
  const { digest } = image;
  const isLegacy = format !== "bundle";
  const { descriptor, children } = await readImage(run, digest, { withChildren: isLegacy });
  const layers: WrittenLayer[] = [];
  const bundles: WrittenBundle[] = [];
  if (isLegacy) {
    await inParallel(parallelImages, children, async (child) => {
      layers.push(...(await signAsLayer(run, child)));
    });
    layers.push(...(await signAsLayer(run, digest)));
  }
  if (format !== "legacy") {
    bundles.push(...(await attestAsBundles(run, descriptor, [signature(digest)], "signature")));
  }
  return { version: 1, repository: formatRepository(run.repository), layers, bundles };
}

// In a bundle, a signature is a statement without a predicate.
function signature(digest: Digest): PreparedStatement {
  const bytes = signStatement(digest);
  return { bytes, predicateType: signPredicateType, statementSha256: sha256Hex(bytes) };
}
