import { generateKeyPair, type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";
import type { CallContext } from "../../../http/call-context";
import type { HttpClient, HttpResponse } from "../../../http/client";
import { renewedValue } from "../../../http/renewed-value";
import { JsonFields, parseJson } from "../../../json/parse-json";
import { Certificate, identityOf } from "../certificate/certificate";
import { spkiOf } from "../certificate/public-key";
import { toPem } from "../der/der-element";
import { callService, isSuccess, refused, serviceError, type ServiceError } from "./call-service";
import type { IdentitySource, IdentityToken } from "./identity-token";

/** A certificate is not used when it expires within this time. */
const reserveMs = 30_000;

export interface Signer {
  readonly privateKey: KeyObject;
  readonly leaf: Certificate;
  readonly leafPem: string;
  /** The certificates above the leaf, the nearest first. */
  readonly chainPem: readonly string[];
}

/**
 * Returns a key with a certificate from the certificate authority at a URL.
 *
 * Each process has one key for each authority. Its certificate is used until shortly before it expires, and
 * concurrent callers share one request.
 *
 * @throws ServiceError, `NO_IDENTITY` without an identity token
 */
export type SignerSource = (url: string, context: CallContext) => Promise<Signer>;

interface SignerSourceSettings {
  readonly http: HttpClient;
  readonly identity: IdentitySource;
  readonly now: () => number;
}

export function signerSource(settings: SignerSourceSettings): SignerSource {
  const signers = new Map<string, (context: CallContext) => Promise<Signer>>();
  return (url, context) => {
    const known = signers.get(url) ?? renewedSigner(url, settings);
    signers.set(url, known);
    return known(context);
  };
}

function renewedSigner(url: string, { http, identity, now }: SignerSourceSettings) {
  let keys: ReturnType<typeof keyPair> | undefined;
  return renewedValue<Signer, CallContext>({
    async renew(context) {
      const token = await identity(context);
      if (token === undefined) {
        throw serviceError("NO_IDENTITY", "There is no identity token to sign with.");
      }
      keys ??= keyPair();
      return requestCertificate({ http, context, url, token, ...(await keys) });
    },
    // The start of the validity is not checked: the clock of the authority may be ahead of this machine's.
    expiresAt: ({ leaf }) => leaf.notAfter.getTime(),
    marginMs: reserveMs,
    now,
  });
}

const generate = promisify(generateKeyPair);

function keyPair(): Promise<{ readonly publicKey: KeyObject; readonly privateKey: KeyObject }> {
  return generate("ec", { namedCurve: "P-256" });
}

interface CertificateRequest {
  readonly http: HttpClient;
  readonly context: CallContext;
  readonly url: string;
  readonly token: IdentityToken;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const service = "The certificate authority";

/**
 * Requests a certificate for a key and the identity in the token. If the certificate authority does not
 * implement version 2 of the API, uses version 1.
 *
 * @see https://github.com/sigstore/fulcio/blob/main/fulcio.proto
 */
async function requestCertificate(request: CertificateRequest): Promise<Signer> {
  const { publicKey, privateKey, token } = request;
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
  const proof = sign("sha256", Buffer.from(token.subject), privateKey).toString("base64");
  const answer = await post(request, "v2", {
    credentials: { oidcIdentityToken: token.text },
    publicKeyRequest: {
      publicKey: { algorithm: "ECDSA", content: pem },
      proofOfPossession: proof,
    },
  });
  if (answer.status !== 404) return checked(request, chainOfJson(accepted(request, answer)));
  const content = Buffer.from(pem).toString("base64");
  const body = { publicKey: { algorithm: "ecdsa", content }, signedEmailAddress: proof };
  const older = await post(request, "v1", body, { authorization: `Bearer ${token.text}` });
  return checked(request, chainOfPem(accepted(request, older).toString("utf8")));
}

function post(
  { http, context, url }: CertificateRequest,
  version: "v1" | "v2",
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpResponse> {
  return callService({
    http,
    service,
    context,
    method: "POST",
    url: `${url.replace(/\/+$/, "")}/api/${version}/signingCert`,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

function accepted({ token }: CertificateRequest, answer: HttpResponse): Buffer {
  if (isSuccess(answer)) return answer.body;
  throw refused("CERTIFICATE_AUTHORITY", service, answer, [token.text]);
}

function chainOfJson(body: Buffer): readonly string[] {
  try {
    const fields = JsonFields.of(parseJson(body), "the response");
    const embedded =
      fields.optionalFields("signedCertificateEmbeddedSct") ??
      fields.optionalFields("signedCertificateDetachedSct");
    const chain = embedded?.fields("chain").items("certificates") ?? [];
    return chain.filter((each) => typeof each === "string");
  } catch (error) {
    throw unusable("has an unexpected format", error);
  }
}

const chainOfPem = (text: string): readonly string[] =>
  text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];

/** Checks that the certificate is for the key that was sent. Trust is verified with the signature. */
function checked(
  { publicKey, privateKey, token }: CertificateRequest,
  [first, ...rest]: readonly string[],
): Signer {
  if (first === undefined) throw unusable("contains no certificate");
  const { leaf, names } = readLeaf(first);
  // Compared as bytes: a key from the response is not computed with.
  if (!leaf.publicKeyDer.equals(spkiOf(publicKey))) {
    throw unusable("certifies another key than the one that was sent");
  }
  if (token.email !== undefined && !names.includes(token.email)) {
    throw unusable(`certifies another identity than ${token.email}`);
  }
  const leafPem = toPem("CERTIFICATE", leaf.der);
  return { privateKey, leaf, leafPem, chainPem: rest.map((pem) => `${pem.trim()}\n`) };
}

function readLeaf(pem: string) {
  let cause: unknown;
  try {
    const [leaf] = Certificate.fromPem(pem);
    if (leaf !== undefined) return { leaf, names: identityOf(leaf).subjects };
  } catch (error) {
    cause = error;
  }
  throw unusable("contains a certificate that cannot be read", cause);
}

const unusable = (problem: string, cause?: unknown): ServiceError =>
  serviceError("CERTIFICATE_AUTHORITY", `${service}'s response ${problem}.`, { cause });
