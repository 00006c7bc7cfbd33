import type { CallContext } from "../../http/call-context";
import type { DigestReference } from "../oci/reference/digest-reference";
import type { Digest } from "../oci/reference/digest";
import { sha256Hex } from "../sigstore/payload/digest-of";
import { signPredicateType, signStatement } from "../sigstore/payload/statement";
import { formatRepository } from "../oci/reference/repository";
import type { Conflict } from "../conflict/conflict";
import { createWorkPool } from "../copy/work-pool";
import type { Written, WrittenBundle, WrittenLayer } from "../run/written";
import { readImage } from "../run/read-image";
import { signAsLayer } from "./sign-as-layer";
import { signingRun } from "../run/signing-run";
import { attestAsBundles, type PreparedStatement } from "../attached/attest-as-bundles";
import type { SignatureFormat, SigningServices } from "../run/signing-services";

export interface SignRequest {
  readonly image: DigestReference;
  readonly conflict: Conflict;
  readonly format: SignatureFormat;
  /** Base address of the certificate authority. */
  readonly fulcioUrl: string;
  /** Base address of the transparency log. */
  readonly rekorUrl: string;
  /** What was written before: known as ours without asking who we are. */
  readonly previous?: Written | undefined;
}

/** How many images of an index are signed at a time: writing is mostly waiting. */
const parallelImages = 4;

/**
 * Signs an image; in the legacy format, of an index its images as well, the index itself last.
 *
 * Everything that was made is verified before it is written. Interrupted, it leaves nothing half written;
 * run again, it signs what is not signed yet, unless it appends.
 *
 * @returns what of ours is there now
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
    await createWorkPool(parallelImages).each(children, async (child) => {
      layers.push(...(await signAsLayer(run, child)));
    });
    layers.push(...(await signAsLayer(run, digest)));
  }
  if (format !== "legacy") {
    bundles.push(...(await attestAsBundles(run, descriptor, [signature(digest)], "signature")));
  }
  return { version: 1, repository: formatRepository(run.repository), layers, bundles };
}

/** A bundle's signature is a statement that says nothing more. */
function signature(digest: Digest): PreparedStatement {
  const bytes = signStatement(digest);
  return { bytes, predicateType: signPredicateType, statementSha256: sha256Hex(bytes) };
}
