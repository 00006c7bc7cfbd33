import type { Certificate } from "../sigstore/certificate/certificate";
import type { CallContext } from "../../http/call-context";
import type {
  BundleServices,
  SignatureFormat,
  SignatureServices,
  SigningServices,
} from "../provider/signing-services";
import type { Conflict } from "./conflict";
import { formatRepository, type Repository } from "../oci/reference/repository";
import type { Digest } from "../oci/reference/digest";
import {
  certificateSigner,
  checkCertificate,
  keyOnlySigner,
  unlessVerified,
  type RunSigner,
} from "./run-signer";
import { noTrust, type TrustMaterial } from "../sigstore/trust/trust-material";
import type { DigestReference } from "../oci/reference/reference";
import type { Signer } from "../sigstore/identity/signer-source";

/** A request to sign or attest an image. */
export interface SigningRequest {
  readonly image: DigestReference;
  readonly conflict: Conflict;
  readonly format: SignatureFormat;
  /** True to sign or attest the images of an index, too. @default true for signatures, false for attestations */
  readonly isRecursive?: boolean | undefined;
  /** Base URL of the certificate authority. */
  readonly fulcioUrl: string;
  /** Base URL of the transparency log. */
  readonly rekorUrl: string;
  /** Our record of earlier runs. What it names counts as ours, even without an identity token. */
  readonly previous?: Written | undefined;
}

/**
 * A record of what we wrote to a registry. It is small, contains no secrets, and is plain JSON.
 *
 * It tells what to look for in a later read, and what is ours without knowing our identity.
 */
export interface Written {
  readonly version: 1;
  /** `host/repository` */
  readonly repository: string;
  readonly layers: readonly WrittenLayer[];
  readonly bundles: readonly WrittenBundle[];
}

/** A layer with a signature or an attestation, in the image under a tag. */
export interface WrittenLayer {
  /** The tag of a digest with `.sig` or `.att`. */
  readonly tag: string;
  readonly digest: Digest;
  /** SHA-256 of the annotation with the signature: layers of all signers have the same digest. */
  readonly signature: string;
}

/** A bundle's manifest, which refers to an image. */
export interface WrittenBundle {
  readonly subject: Digest;
  readonly digest: Digest;
}

/** One run of signing or attesting images: the state that all steps share. */
export interface SigningRun extends SignatureRun {
  readonly repository: Repository;
  readonly conflict: Conflict;
  readonly services: SigningServices;
  /** The earlier signatures and attestations that count as ours. */
  readonly previous: Pick<Written, "layers" | "bundles">;
}

/** What making a signature needs, of whatever it is. */
export interface SignatureRun {
  readonly services: SignatureServices;
  readonly context: CallContext;
  readonly rekorUrl: string;
  readonly timestampUrls: readonly string[];
  /** Finds the logs and timestamp authorities for a bundle. */
  bundleServices(): Promise<BundleServices>;
  /** True if new signatures are written to the transparency log. Those of an identity always are. */
  readonly isLogged: boolean;
  /**
   * Our key, or a key with a valid and verified certificate. Opens or requests it if needed.
   *
   * @throws SigningError `UNVERIFIED`, ServiceError, KeyError
   */
  signer(): Promise<RunSigner>;
  /** The trusted certificates and keys by which our signatures are verified before they are written. */
  trust(): Promise<TrustMaterial>;
  /** Reports progress. */
  say(message: string, fields: Readonly<Record<string, unknown>>): void;
}

/** Creates the state of a run. What was written to another repository is ignored. */
export function signingRun(
  { image, conflict, previous, ...urls }: Omit<SigningRequest, "format">,
  services: SigningServices,
  context: CallContext,
): SigningRun {
  const { registry, path } = image;
  const repository: Repository = { registry, path };
  const isKnown = previous?.repository === formatRepository(repository);
  return {
    ...signatureRun(urls, services, context),
    repository,
    conflict,
    services,
    previous: isKnown ? previous : { layers: [], bundles: [] },
  };
}

/** Creates the state of a run that signs something. */
export function signatureRun(
  { fulcioUrl, rekorUrl }: Pick<SigningRequest, "fulcioUrl" | "rekorUrl">,
  services: SignatureServices,
  context: CallContext,
): SignatureRun {
  const { key, certificateLog, timestampUrl } = services;
  const timestampUrls = timestampUrl === undefined ? [] : [timestampUrl];
  const isLogged = key?.isLogged ?? true;
  let trust: Promise<TrustMaterial> | undefined;
  let checked: { readonly certificate: Signer; readonly signer: RunSigner } | undefined;
  let opened: RunSigner | undefined;
  const trusted = () => {
    // A key alone needs no trusted root, which may have to be fetched.
    const hasTimestamps = timestampUrl !== undefined || services.bundleServices !== undefined;
    const isNeeded = isLogged || hasTimestamps;
    return (trust ??= isNeeded ? services.trust() : Promise.resolve(noTrust));
  };
  // Nothing must be logged with a certificate that is not accepted: a log entry cannot be removed.
  const checkBeforeUse = async ({ leaf, chainPem }: Signer) => {
    const trust = await trusted();
    unlessVerified(
      "the certificate from the certificate authority does not verify, so nothing was written, not even to the log",
      () => {
        const times = [validTime(leaf, services.now())];
        checkCertificate(leaf.der, chainPem, { trust, certificateLog, times });
      },
    );
  };
  const signer = async () => {
    if (key !== undefined) return (opened ??= keyOnlySigner(await key.open(context)));
    const certificate = await services.signer(fulcioUrl, context);
    if (certificate !== checked?.certificate) {
      await checkBeforeUse(certificate);
      checked = { certificate, signer: certificateSigner(certificate, certificateLog) };
    }
    return checked.signer;
  };
  return {
    services,
    context,
    rekorUrl,
    timestampUrls,
    bundleServices: async () =>
      (await services.bundleServices?.()) ?? {
        logs: [{ url: rekorUrl, version: 1 }],
        timestampUrls,
      },
    isLogged,
    signer,
    trust: trusted,
    say: (message, fields) => services.onProgress?.(message, fields),
  };
}

/** Now, or the nearest time at which the certificate is valid: the authority's clock may differ from ours. */
function validTime({ notBefore, notAfter }: Certificate, now: Date): Date {
  return new Date(Math.min(Math.max(now.getTime(), notBefore.getTime()), notAfter.getTime()));
}
