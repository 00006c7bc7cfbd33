import { createHash, sign } from "node:crypto";
import { readFile } from "node:fs/promises";
import { bundleFromJSON } from "@sigstore/bundle";
import { TrustedRoot } from "@sigstore/protobuf-specs";
import { toSignedEntity, toTrustMaterial, Verifier } from "@sigstore/verify";
import { readField, readTextField } from "../../../src/local/service/request";
import type { LocalSigning } from "../../../src/local/signing/start-local-signing";
import {
  derBoolean,
  derInteger,
  derObjectIdentifier,
  derOctetString,
  derSequence,
} from "../../../src/core/signing/sigstore/der/write-der";
import { openServices, postJson } from "./local-services";
import { certify, envelopeOf, hashedRekord, type Certified } from "./signer";

const payload = Buffer.from("what is signed");
const digest = createHash("sha256").update(payload).digest();

async function logged(services: LocalSigning, proposed: unknown): Promise<unknown> {
  const url = `${services.addresses.transparencyLog}/api/v1/log/entries`;
  const response = await postJson(url, proposed);
  expect(response.status).toBe(201);
  const body: unknown = await response.json();
  return Object.values(typeof body === "object" && body !== null ? body : {})[0];
}

/** The entry as a bundle contains it. */
function tlogEntry(entry: unknown, kind: string) {
  const proof = readField(entry, "verification", "inclusionProof");
  const hashes = readField(proof, "hashes");
  const base64 = (hex: unknown) => Buffer.from(String(hex), "hex").toString("base64");
  return {
    logIndex: String(readField(entry, "logIndex")),
    logId: { keyId: base64(readField(entry, "logID")) },
    kindVersion: { kind, version: "0.0.1" },
    integratedTime: String(readField(entry, "integratedTime")),
    inclusionPromise: {
      signedEntryTimestamp: readTextField(entry, "verification", "signedEntryTimestamp"),
    },
    inclusionProof: {
      logIndex: String(readField(proof, "logIndex")),
      rootHash: base64(readField(proof, "rootHash")),
      treeSize: String(readField(proof, "treeSize")),
      hashes: Array.isArray(hashes) ? hashes.map(base64) : [],
      checkpoint: { envelope: readTextField(proof, "checkpoint") },
    },
    canonicalizedBody: readTextField(entry, "body"),
  };
}

function bundleWith(signer: Certified, content: object, material: object) {
  return {
    mediaType: "application/vnd.dev.sigstore.bundle.v0.3+json",
    verificationMaterial: {
      certificate: { rawBytes: signer.certificate.raw.toString("base64") },
      ...material,
    },
    ...content,
  };
}

async function verifierOf(services: LocalSigning, options = {}): Promise<Verifier> {
  const text = await readFile(services.files.trustedRoot, "utf8");
  return new Verifier(toTrustMaterial(TrustedRoot.fromJSON(JSON.parse(text))), options);
}

const messageSignature = (signature: Buffer) => ({
  messageSignature: {
    messageDigest: { algorithm: "SHA2_256", digest: digest.toString("base64") },
    signature: signature.toString("base64"),
  },
});

it("creates signatures that an outside verifier accepts with the written trusted root", async () => {
  const services = await openServices();
  const signer = await certify(services);
  // Others before and after, so that there is a tree to prove something in.
  for (const text of ["one", "two"]) {
    await logged(services, hashedRekord(signer, Buffer.from(text)));
  }
  const proposed = hashedRekord(signer, payload);
  const entry = await logged(services, proposed);
  const signature = Buffer.from(proposed.spec.signature.content, "base64");
  const bundle = bundleWith(signer, messageSignature(signature), {
    tlogEntries: [tlogEntry(entry, "hashedrekord")],
  });
  const verifier = await verifierOf(services);
  const signed = verifier.verify(toSignedEntity(bundleFromJSON(bundle), payload));
  expect(signed.identity).toMatchObject({
    subjectAlternativeName: "ada@example.com",
    extensions: { issuer: services.addresses.tokenIssuer },
  });
  expect(() =>
    verifier.verify(toSignedEntity(bundleFromJSON(bundle), Buffer.from("something else"))),
  ).toThrow();
});

it("creates attestations that an outside verifier accepts", async () => {
  const services = await openServices();
  const signer = await certify(services);
  const statement = Buffer.from('{"_type":"https://in-toto.io/Statement/v1"}');
  const envelope = envelopeOf(signer, statement);
  const verifiers = [Buffer.from(signer.leaf).toString("base64")];
  const spec = { proposedContent: { envelope, verifiers } };
  const entry = await logged(services, { apiVersion: "0.0.1", kind: "dsse", spec });
  const dsseEnvelope = JSON.parse(envelope) as object;
  const bundle = bundleWith(signer, { dsseEnvelope }, { tlogEntries: [tlogEntry(entry, "dsse")] });
  const verifier = await verifierOf(services);
  const signed = verifier.verify(toSignedEntity(bundleFromJSON(bundle)));
  expect(signed.identity).toMatchObject({
    subjectAlternativeName: "ada@example.com",
    extensions: { issuer: services.addresses.tokenIssuer },
  });
  const other = { ...dsseEnvelope, payload: Buffer.from("{}").toString("base64") };
  const forged = { ...bundle, dsseEnvelope: other };
  expect(() => verifier.verify(toSignedEntity(bundleFromJSON(forged)))).toThrow();
});

it("creates timestamps that an outside verifier accepts instead of a log", async () => {
  const services = await openServices();
  const signer = await certify(services);
  const signature = sign("sha256", payload, signer.privateKey);
  const hash = createHash("sha256").update(signature).digest();
  const sha256 = derSequence(derObjectIdentifier("2.16.840.1.101.3.4.2.1"));
  const imprint = derSequence(sha256, derOctetString(hash));
  const request = derSequence(derInteger(1), imprint, derInteger(42), derBoolean(true));
  const response = await fetch(services.addresses.timestampAuthority, {
    method: "POST",
    headers: { "content-type": "application/timestamp-query" },
    body: new Uint8Array(request),
  });
  expect(response.status).toBe(201);
  const signedTimestamp = Buffer.from(await response.arrayBuffer()).toString("base64");
  const bundle = bundleWith(signer, messageSignature(signature), {
    timestampVerificationData: { rfc3161Timestamps: [{ signedTimestamp }] },
  });
  const verifier = await verifierOf(services, { tlogThreshold: 0, tsaThreshold: 1 });
  const signed = verifier.verify(toSignedEntity(bundleFromJSON(bundle), payload));
  expect(signed.identity).toMatchObject({ subjectAlternativeName: "ada@example.com" });
});
