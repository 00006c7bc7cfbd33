import { type KeyObject, sign, X509Certificate } from "node:crypto";
import type { CallContext } from "../../../http/call-context";
import type { HttpResponse, HttpClient } from "../../../http/client";
import { Certificate } from "../certificate/certificate";
import { identityOf } from "../certificate/identity";
import type { IdentityToken } from "../identity/identity-token";
import { JsonFields } from "../../../json/json-fields";
import { parseJson } from "../../../json/parse-json";
import { callService, refused } from "../service/call-service";
import { ServiceError } from "../service/service-error";
import type { SigningCertificate } from "./signing-certificate";

/** A request for a signing certificate. */
interface CertificateRequest {
  readonly http: HttpClient;
  readonly context: CallContext;
  /** Base URL of the certificate authority. */
  readonly url: string;
  readonly token: IdentityToken;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const service = "The certificate authority";

/** The paths of the two API versions. */
const path = { v2: "/api/v2/signingCert", v1: "/api/v1/signingCert" } as const;

/**
 * Requests a certificate for a key and the identity in the token. If the certificate authority does not
 * implement version 2 of the API, uses version 1.
 *
 * @throws ServiceError
 * @see https://github.com/sigstore/fulcio/blob/main/fulcio.proto
 */
export async function requestCertificate(request: CertificateRequest): Promise<SigningCertificate> {
  const { publicKey, privateKey, token } = request;
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
  const proof = sign("sha256", Buffer.from(token.subject), privateKey).toString("base64");
  const answer = await post(request, path.v2, {
    credentials: { oidcIdentityToken: token.text },
    publicKeyRequest: {
      publicKey: { algorithm: "ECDSA", content: pem },
      proofOfPossession: proof,
    },
  });
  if (answer.status !== 404) return checked(request, chainOfJson(accepted(request, answer)));
  const content = Buffer.from(pem).toString("base64");
  const body = { publicKey: { algorithm: "ecdsa", content }, signedEmailAddress: proof };
  const older = await post(request, path.v1, body, { authorization: `Bearer ${token.text}` });
  return checked(request, chainOfPem(accepted(request, older).toString("utf8")));
}

function post(
  { http, context, url }: CertificateRequest,
  under: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpResponse> {
  return callService({
    http,
    service,
    context,
    method: "POST",
    url: `${url.replace(/\/+$/, "")}${under}`,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

function accepted({ token }: CertificateRequest, answer: HttpResponse): Buffer {
  if (answer.status === 200 || answer.status === 201) return answer.body;
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

/** Checks that the certificate is for our key. Whether it is trusted is verified with the signature. */
function checked(
  { publicKey, token }: CertificateRequest,
  [first, ...rest]: readonly string[],
): SigningCertificate {
  if (first === undefined) throw unusable("contains no certificate");
  let leaf: X509Certificate;
  try {
    leaf = new X509Certificate(first);
  } catch (error) {
    throw unusable("contains a certificate that cannot be read", error);
  }
  if (!certifies(leaf, publicKey))
    throw unusable("certifies another key than the one that was sent");
  if (token.email !== undefined && !namesIn(leaf).includes(token.email)) {
    throw unusable(`certifies another identity than ${token.email}`);
  }
  return { leaf, leafPem: leaf.toString(), chainPem: rest.map((pem) => `${pem.trim()}\n`) };
}

/** Compared as bytes: a key from the response is not computed with. */
function certifies(leaf: X509Certificate, publicKey: KeyObject): boolean {
  try {
    const { publicKeyDer } = new Certificate(leaf.raw);
    return publicKeyDer.equals(publicKey.export({ type: "spki", format: "der" }));
  } catch (error) {
    throw unusable("contains a certificate that cannot be read", error);
  }
}

function namesIn(leaf: X509Certificate): readonly string[] {
  try {
    return identityOf(new Certificate(leaf.raw)).subjects;
  } catch (error) {
    throw unusable("contains a certificate that cannot be read", error);
  }
}

const unusable = (problem: string, cause?: unknown): ServiceError =>
  new ServiceError("CERTIFICATE_AUTHORITY", `${service}'s response ${problem}.`, cause);
