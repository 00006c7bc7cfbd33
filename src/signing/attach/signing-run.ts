import type { SigningServices } from "../provider/signing-services";
import type { CallContext } from "../../http/call-context";
import type { Conflict } from "./conflict";
import { formatRepository, type Repository } from "../oci/reference/repository";
import type { Signer } from "../sigstore/service/request-certificate";
import { certificateSigner, checkSigner, keyOnlySigner, type RunSigner } from "./run-signer";
import type { Written } from "./written";
import { isAboutContent, RegistryError } from "../oci/protocol/registry-error";
import type { ReadBudget } from "../oci/protocol/read-budget";
import type { BlobName } from "../oci/registry/blobs";
import { noTrust, type TrustMaterial } from "../sigstore/trust/trust-material";

/** One run of signing or attesting: the state that all steps share. */
export interface SigningRun {
  readonly repository: Repository;
  readonly conflict: Conflict;
  readonly services: SigningServices;
  readonly context: CallContext;
  readonly rekorUrl: string;
  /** Whether new signatures are written to the transparency log. Those of an identity always are. */
  readonly isLogged: boolean;
  /** What we wrote before, so it counts as ours. */
  readonly previous: Pick<Written, "layers" | "bundles">;
  /**
   * Our key, or a key with a valid and verified certificate. Opens or requests it if needed.
   *
   * @throws SigningError `UNVERIFIED`, ServiceError, KeyError
   */
  signer(): Promise<RunSigner>;
  /** What our signatures are verified with before they are written. */
  trust(): Promise<TrustMaterial>;
  /** Reports progress. */
  say(message: string, fields: Readonly<Record<string, unknown>>): void;
}

/** What a run needs to know from a request. */
interface SigningRunSettings {
  readonly image: Repository;
  readonly conflict: Conflict;
  readonly fulcioUrl: string;
  readonly rekorUrl: string;
  readonly previous?: Written | undefined;
}

/** Creates the state of a run. What was written to another repository is ignored. */
export function signingRun(
  { image, conflict, fulcioUrl, rekorUrl, previous }: SigningRunSettings,
  services: SigningServices,
  context: CallContext,
): SigningRun {
  const { registry, path } = image;
  const repository: Repository = { registry, path };
  const isKnown = previous?.repository === formatRepository(repository);
  const { key, certificateLog } = services;
  const isLogged = key?.isLogged ?? true;
  let trust: Promise<TrustMaterial> | undefined;
  let checked: { readonly certificate: Signer; readonly signer: RunSigner } | undefined;
  let opened: RunSigner | undefined;
  const trusted = () => {
    // A key alone needs no trusted root, which may have to be fetched.
    const isNeeded = isLogged || hasTimestamps(services);
    return (trust ??= isNeeded ? services.trust() : Promise.resolve(noTrust));
  };
  const signer = async () => {
    if (key !== undefined) return (opened ??= keyOnlySigner(await key.open(context)));
    const certificate = await services.signer(fulcioUrl, context);
    if (certificate !== checked?.certificate) {
      checkSigner(certificate, await trusted(), services);
      checked = { certificate, signer: certificateSigner(certificate, certificateLog) };
    }
    return checked.signer;
  };
  return {
    repository,
    conflict,
    services,
    context,
    rekorUrl,
    isLogged,
    signer,
    previous: isKnown ? previous : { layers: [], bundles: [] },
    trust: trusted,
    say: (message, fields) => services.onProgress?.(message, fields),
  };
}

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

function hasTimestamps({ timestampUrl, bundleServices }: SigningServices): boolean {
  return timestampUrl !== undefined || bundleServices !== undefined;
}
