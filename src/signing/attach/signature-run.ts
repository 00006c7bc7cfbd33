import type { CallContext } from "../../http/call-context";
import type { BundleServices, SignatureServices } from "../provider/signing-services";
import type { Certificate } from "../sigstore/certificate/certificate";
import type { Signer } from "../sigstore/identity/signer-source";
import type { LogEntryKind } from "../sigstore/format/log-entry";
import { noTrust, type TrustMaterial } from "../sigstore/trust/trust-material";
import {
  certificateSigner,
  checkCertificate,
  keyOnlySigner,
  type RunSigner,
  unlessVerified,
} from "./run-signer";

/** Where to get a certificate, and where to log, unless a signing config selects the services. */
export interface ServiceUrls {
  /** Base URL of the certificate authority. */
  readonly fulcioUrl: string;
  /** Base URL of the transparency log. */
  readonly rekorUrl: string;
}

/** One run that signs something: our identity or key, what is trusted, and the services. */
export class SignatureRun<S extends SignatureServices = SignatureServices> {
  /** True if new signatures are written to the transparency log. Those of an identity always are. */
  readonly isLogged: boolean;
  readonly #urls: ServiceUrls;
  #trust: Promise<TrustMaterial> | undefined;
  #opened: RunSigner | undefined;
  #checked: { readonly certificate: Signer; readonly signer: RunSigner } | undefined;

  constructor(
    urls: ServiceUrls,
    readonly services: S,
    readonly context: CallContext,
  ) {
    this.#urls = urls;
    this.isLogged = services.key?.isLogged ?? true;
  }

  /** The kinds of all entries that the run may write to the log. A key that cannot be used for one signs nothing. */
  get logKinds(): readonly LogEntryKind[] {
    return [];
  }

  get rekorUrl(): string {
    return this.#urls.rekorUrl;
  }

  get timestampUrls(): readonly string[] {
    const { timestampUrl } = this.services;
    return timestampUrl === undefined ? [] : [timestampUrl];
  }

  /** Finds the logs and timestamp authorities for a bundle. */
  async bundleServices(): Promise<BundleServices> {
    const { rekorUrl, timestampUrls } = this;
    const selected = await this.services.bundleServices?.();
    return selected ?? { logs: [{ url: rekorUrl, version: 1 }], timestampUrls };
  }

  /** The trusted certificates and keys by which our signatures are verified before they are written. */
  trust(): Promise<TrustMaterial> {
    const { timestampUrl, bundleServices, trust } = this.services;
    // A key alone needs no trusted root, which may have to be fetched.
    const isNeeded = this.isLogged || timestampUrl !== undefined || bundleServices !== undefined;
    return (this.#trust ??= isNeeded ? trust() : Promise.resolve(noTrust));
  }

  /**
   * Our key, or a key with a valid and verified certificate. Opens or requests it if needed.
   *
   * @throws SigningError `UNVERIFIED`, ServiceError, KeyError
   */
  async signer(): Promise<RunSigner> {
    const { services, context } = this;
    const { key, certificateLog } = services;
    if (key !== undefined) return (this.#opened ??= keyOnlySigner(await key.open(context)));
    const certificate = await services.signer(this.#urls.fulcioUrl, context);
    if (certificate !== this.#checked?.certificate) {
      await this.#check(certificate);
      this.#checked = { certificate, signer: certificateSigner(certificate, certificateLog) };
    }
    return this.#checked.signer;
  }

  /** Reports progress. */
  say(message: string, fields: Readonly<Record<string, unknown>>): void {
    this.services.onProgress?.(message, fields);
  }

  // Nothing must be logged with a certificate that is not accepted: a log entry cannot be removed.
  async #check({ leaf, chainPem }: Signer): Promise<void> {
    const { certificateLog, now } = this.services;
    const trust = await this.trust();
    unlessVerified(
      "the certificate from the certificate authority does not verify, so nothing was written, not even to the log",
      () => {
        checkCertificate(leaf.der, chainPem, {
          trust,
          certificateLog,
          times: [validTime(leaf, now())],
        });
      },
    );
  }
}

/** Now, or the nearest time at which the certificate is valid: the authority's clock may differ from ours. */
function validTime({ notBefore, notAfter }: Certificate, now: Date): Date {
  return new Date(Math.min(Math.max(now.getTime(), notBefore.getTime()), notAfter.getTime()));
}
