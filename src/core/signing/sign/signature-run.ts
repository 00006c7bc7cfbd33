import { createHash, type KeyObject, sign } from "node:crypto";
import type { CallContext } from "../../http/call-context";
import { sha256Hex } from "../oci/reference/descriptor";
import type { BundleServices, SignatureServices } from "../provider/services";
import { Certificate, identityOf } from "../sigstore/certificate/certificate";
import { fromPem, toPem } from "../sigstore/der/der-element";
import type { Bundle } from "../sigstore/format/bundle";
import { type LogEntryKind, rekorV2KeyProblem, rekorV2Kind } from "../sigstore/format/log-entry";
import type { Signer } from "../sigstore/service/signer-source";
import { type KeySigner, keyError } from "../sigstore/key/key-signer";
import { noTrust, type TrustMaterial } from "../sigstore/trust/trusted-root";
import { checkPresentedCount } from "../sigstore/verification/certificate-chain";
import {
  checkSignerUsage,
  checkTrustedCertificate,
} from "../sigstore/verification/signer-certificate";
import {
  type ExpectedSigner,
  type VerifiedSigner,
  within,
  isVerificationError,
} from "../sigstore/verification/verification";
import { signingError } from "./signing-error";

/** Where to get a certificate, and where to log, unless a signing config selects the services. */
export interface ServiceUrls {
  readonly fulcioUrl: string;
  readonly rekorUrl: string;
}

/** One run that signs something: our identity or key, what is trusted, and the services. */
export class SignatureRun<S extends SignatureServices = SignatureServices> {
  /** True if new signatures are written to the transparency log. Those of an identity always are. */
  readonly isLogged: boolean;
  #trust: Promise<TrustMaterial> | undefined;
  #opened: RunSigner | undefined;
  #checked: { readonly certificate: Signer; readonly signer: RunSigner } | undefined;
  readonly #urls: ServiceUrls;

  constructor(
    urls: ServiceUrls,
    readonly services: S,
    readonly context: CallContext,
  ) {
    this.#urls = urls;
    this.isLogged = services.key?.isLogged ?? true;
  }

  /** The kinds of all entries that the run may write to the log. A key must be usable for each of them. */
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

  /** The logs and timestamp authorities for a bundle. */
  get bundleServices(): BundleServices {
    const { rekorUrl, timestampUrls, services } = this;
    return services.bundleServices ?? { logs: [{ url: rekorUrl, version: 1 }], timestampUrls };
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

/** Who signs in a run: an identity with a certificate, or a key alone. */
export interface RunSigner {
  readonly publicKey: KeyObject;
  /** The certificate or key that verifies the signatures, in DER. */
  readonly verifier: { readonly certificate: Buffer } | { readonly publicKey: Buffer };
  /** The verifier in PEM, as log entries of version 1 contain it. */
  readonly verifierPem: string;
  /** The certificates above ours, the nearest first; none for a key. */
  readonly chainPem: readonly string[];
  /** Accepts only this signer. */
  readonly expected: ExpectedSigner;
  /** Signs bytes. @throws KeyError */
  sign(bytes: Uint8Array, context: CallContext): Promise<Buffer>;
  isSignerOf(verified: VerifiedSigner): boolean;
}

function certificateSigner(
  { leaf, leafPem, chainPem, privateKey }: Signer,
  certificateLog: "required" | "ignored" | undefined,
): RunSigner {
  // A certificate with no subject or several subjects is rejected later, when its signature is verified.
  const { subjects, issuer = "" } = identityOf(leaf);
  const [subject = ""] = subjects;
  return {
    publicKey: leaf.publicKey,
    verifier: { certificate: leaf.der },
    verifierPem: leafPem,
    chainPem,
    expected: {
      identities: [{ subject: { equals: subject }, issuer: { equals: issuer } }],
      certificateLog,
    },
    sign: (bytes) => Promise.resolve(sign("sha256", bytes, privateKey)),
    isSignerOf: (verified) =>
      verified.kind === "identity" &&
      verified.otherSubjects.length === 0 &&
      verified.subject === subject &&
      verified.issuer === issuer,
  };
}

export function keyOnlySigner(key: KeySigner): RunSigner {
  const { publicKey, hash } = key;
  const der = publicKey.export({ format: "der", type: "spki" });
  const keyId = sha256Hex(der);
  return {
    publicKey,
    verifier: { publicKey: der },
    verifierPem: toPem("PUBLIC KEY", der),
    chainPem: [],
    expected: { key: { publicKey, hash } },
    sign: (bytes, context) => key.sign(bytes, context),
    isSignerOf: (verified) => verified.kind === "key" && verified.keyId === keyId,
  };
}

/** The certificate or the hint for the key in a bundle. cosign's hint is the SHA-256 of the public key. */
export function bundleSigner({ verifier }: RunSigner): Bundle["signer"] {
  if ("certificate" in verifier) return verifier;
  return { keyHint: createHash("sha256").update(verifier.publicKey).digest("base64") };
}

interface CertificateDemands {
  readonly trust: TrustMaterial;
  /** @default "required" */
  readonly certificateLog?: "required" | "ignored" | undefined;
  readonly times: readonly Date[];
}

/**
 * Verifies our certificate with its chain and its SCT.
 *
 * @param der our certificate
 * @param chainPem the certificates that are presented with it
 * @throws VerificationError
 */
export function checkCertificate(
  der: Uint8Array,
  chainPem: readonly string[],
  { certificateLog = "required", ...demands }: CertificateDemands,
): void {
  within("CERTIFICATE", () => {
    const leaf = new Certificate(der);
    const ders = chainPem.flatMap((pem) => fromPem("CERTIFICATE", pem));
    checkPresentedCount(ders.length, "signature");
    const presented = ders.map((each) => new Certificate(each));
    checkSignerUsage(leaf);
    checkTrustedCertificate({ leaf, presented, certificateLog, ...demands });
  });
}

/**
 * Runs a check before something is written that cannot be removed.
 *
 * @param failure the start of the message
 * @throws SigningError `UNVERIFIED`
 */
export function unlessVerified(failure: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!isVerificationError(error)) throw error;
    throw signingError("UNVERIFIED", `${failure}: ${error.message}`, { cause: error });
  }
}

const fix = "Use an ECDSA P-256 key, or set transparency_log to false";

/** Checks that the log can verify the signatures of our key, before anything is sent anywhere. @throws KeyError */
export function checkLoggable({ publicKey, expected }: RunSigner, kind: LogEntryKind): void {
  if (!("key" in expected)) return;
  const { hash } = expected.key;
  const isEd25519 = publicKey.asymmetricKeyType === "ed25519";
  // The log receives only a hash of the payload, but Ed25519 signs the payload itself.
  if (isEd25519 && kind === "hashedrekord/0.0.1") {
    const problem =
      "the transparency log cannot verify signatures of Ed25519 keys in the format legacy";
    throw keyError("KEY", `${problem}. ${fix}`);
  }
  if (!isEd25519 && hash !== "sha256") {
    const problem = `the key signs with ${String(hash)}, but only signatures with sha256 can be logged`;
    throw keyError("KEY", `${problem}. ${fix}`);
  }
  const problem = kind === rekorV2Kind ? rekorV2KeyProblem(publicKey) : undefined;
  if (problem !== undefined) throw keyError("KEY", `the key cannot be used: ${problem}. ${fix}`);
}
