import { createPublicKey, verify, X509Certificate, type KeyObject } from "node:crypto";
import { canonicalJson } from "../../../core/json/exact-json";
import { HttpFailure } from "../../service/answer";
import { readField, readList, readTextField } from "../../service/request";
import { sha256Hex } from "../../../core/signing/oci/reference/descriptor";
import { verifyDigest } from "./verify-digest";
import { parsedJson } from "../../../core/json/plain-json";

/** A stored entry, and the digests by which it can be found. */
export interface LogEntry {
  /** Canonical JSON: the leaf of the tree. */
  readonly body: Buffer;
  /** Digests (`sha256:…`) of the signed content and of the envelope. */
  readonly digests: readonly string[];
}

/** Verifies a proposed entry and its signature, and returns the entry to store. @throws HttpFailure (400) */
export function acceptEntry(proposed: unknown): LogEntry {
  const kind = readTextField(proposed, "kind");
  const version = readTextField(proposed, "apiVersion");
  const spec = readField(proposed, "spec");
  const write = stored.get(kind);
  if (version !== "0.0.1" || write === undefined) {
    throw refused(`entries of kind "${kind}", version "${version}", are not supported`);
  }
  const { spec: storedSpec, digests } = write(spec);
  const body = canonicalJson({ apiVersion: version, kind, spec: storedSpec });
  return { body: Buffer.from(body), digests: digests.map((hex) => `sha256:${hex}`) };
}

type Stored = (spec: unknown) => { spec: unknown; digests: readonly string[] };

const stored: ReadonlyMap<string, Stored> = new Map([
  ["hashedrekord", storedHashedRekord],
  ["intoto", storedIntoto],
  ["dsse", storedDsse],
]);

function storedHashedRekord(spec: unknown): ReturnType<Stored> {
  const value = readTextField(spec, "data", "hash", "value");
  if (readField(spec, "data", "hash", "algorithm") !== "sha256" || !/^[0-9a-f]{64}$/.test(value)) {
    throw refused("data.hash is not a sha256 digest in lowercase hexadecimal");
  }
  const content = readTextField(spec, "signature", "content");
  const publicKey = readTextField(spec, "signature", "publicKey", "content");
  const signature = Buffer.from(content, "base64");
  if (!verifyDigest(Buffer.from(value, "hex"), signature, readKey(publicKey))) {
    throw refused("the signature does not verify data.hash with this key");
  }
  return {
    spec: {
      data: { hash: { algorithm: "sha256", value } },
      signature: { content, publicKey: { content: publicKey } },
    },
    digests: [value],
  };
}

function storedIntoto(spec: unknown): ReturnType<Stored> {
  const publicKey = readTextField(spec, "publicKey");
  const text = readTextField(spec, "content", "envelope");
  const { payload } = checkEnvelope(text, [publicKey]);
  const [hash, payloadHash] = [sha256(Buffer.from(text)), sha256(payload)];
  return {
    spec: { content: { hash, payloadHash }, publicKey },
    digests: [hash.value, payloadHash.value],
  };
}

function storedDsse(spec: unknown): ReturnType<Stored> {
  const keys = readList(spec, "proposedContent", "verifiers");
  const text = readTextField(spec, "proposedContent", "envelope");
  const { payload, signatures } = checkEnvelope(
    text,
    keys.map((key) => (typeof key === "string" ? key : "")),
  );
  const [envelopeHash, payloadHash] = [sha256(Buffer.from(text)), sha256(payload)];
  return {
    spec: { envelopeHash, payloadHash, signatures },
    digests: [envelopeHash.value, payloadHash.value],
  };
}

interface Envelope {
  readonly payload: Buffer;
  readonly signatures: readonly { readonly signature: string; readonly verifier: string }[];
}

/** Each signature of the envelope must verify with one of the keys. */
function checkEnvelope(text: string, verifiers: readonly string[]): Envelope {
  const envelope = parsedJson(text);
  if (envelope === undefined) throw refused("the envelope is not JSON");
  const payload = Buffer.from(readTextField(envelope, "payload"), "base64");
  const type = readTextField(envelope, "payloadType");
  const signed = Buffer.concat([
    Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.byteLength} `),
    payload,
  ]);
  const list = readList(envelope, "signatures");
  if (list.length === 0) throw refused("the envelope has no signature");
  const signatures = list.map((entry) => {
    const signature = readTextField(entry, "sig");
    const verifier = verifiers.find((content) => {
      const key = readKey(content);
      const digest = key.asymmetricKeyType === "ed25519" ? null : "sha256";
      return verify(digest, signed, key, Buffer.from(signature, "base64"));
    });
    if (verifier === undefined) throw refused("a signature of the envelope does not verify");
    return { signature, verifier };
  });
  return { payload, signatures };
}

/** Reads the key in base64 of PEM: of a certificate or of a public key. */
function readKey(content: string): KeyObject {
  const pem = Buffer.from(content, "base64");
  try {
    return pem.includes("-----BEGIN CERTIFICATE-----")
      ? new X509Certificate(pem).publicKey
      : createPublicKey(pem);
  } catch {
    throw refused("the public key is not PEM of a certificate or a public key");
  }
}

function sha256(bytes: Uint8Array) {
  return { algorithm: "sha256", value: sha256Hex(bytes) };
}

export function refused(problem: string): HttpFailure {
  return new HttpFailure(400, `the proposed entry is refused: ${problem}`);
}
