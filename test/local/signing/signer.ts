import { createHash, generateKeyPairSync, sign, X509Certificate } from "node:crypto";
import { readField } from "../../../src/local/service/request";
import type { LocalSigning } from "../../../src/local/signing/start-local-signing";
import { postJson } from "./local-services";

/** A new key and a certificate for it. */
export async function certify(services: LocalSigning, email = "ada@example.com") {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const response = await postJson(`${services.addresses.certificateAuthority}/api/v2/signingCert`, {
    credentials: { oidcIdentityToken: services.issueToken({ email }) },
    publicKeyRequest: {
      publicKey: {
        algorithm: "ECDSA",
        content: publicKey.export({ type: "spki", format: "pem" }),
      },
      proofOfPossession: sign("sha256", Buffer.from(email), privateKey).toString("base64"),
    },
  });
  const body: unknown = await response.json();
  const list = readField(body, "signedCertificateEmbeddedSct", "chain", "certificates");
  const chain = Array.isArray(list) ? list.map(String) : [];
  const [leaf = ""] = chain;
  return { privateKey, publicKey, chain, leaf, certificate: new X509Certificate(leaf) };
}

export type Certified = Awaited<ReturnType<typeof certify>>;

export function hashedRekord({ privateKey, leaf }: Certified, payload: Buffer) {
  const value = createHash("sha256").update(payload).digest("hex");
  const content = sign("sha256", payload, privateKey).toString("base64");
  const publicKey = { content: Buffer.from(leaf).toString("base64") };
  const spec = {
    data: { hash: { algorithm: "sha256", value } },
    signature: { content, publicKey },
  };
  return { apiVersion: "0.0.1", kind: "hashedrekord", spec };
}

export function envelopeOf({ privateKey }: Certified, payload: Buffer): string {
  const payloadType = "application/vnd.in-toto+json";
  const head = `DSSEv1 ${payloadType.length} ${payloadType} ${payload.byteLength} `;
  const sig = sign("sha256", Buffer.concat([Buffer.from(head), payload]), privateKey);
  const signatures = [{ keyid: "", sig: sig.toString("base64") }];
  return JSON.stringify({ payloadType, payload: payload.toString("base64"), signatures });
}
