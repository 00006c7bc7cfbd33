import { goList, goStruct, type GoJson } from "../../../json/exact-json";
import { JsonFields, parseJson } from "../../../json/parse-json";
import { jsonError } from "../../../json/read-json";
import type { InclusionProof, LogEntry } from "./log-entry";
import { signingTypes } from "./manifest";
import { type DsseEnvelope, envelopeOf } from "./statement";

/**
 * A Sigstore bundle with a DSSE envelope. It contains everything needed to verify it, except the trusted root.
 *
 * @see https://docs.sigstore.dev/about/bundle/
 * @see https://github.com/sigstore/protobuf-specs/blob/main/protos/sigstore_bundle.proto
 */
export interface Bundle {
  readonly envelope: DsseEnvelope;
  /** The signer's certificate as DER, or a hint for a key that the verifier has. */
  readonly signer: { readonly certificate: Buffer } | { readonly keyHint: string };
  readonly logEntries: readonly BundledEntry[];
  /** RFC 3161 responses over the signature. */
  readonly timestamps: readonly Buffer[];
}

/** Serializes a bundle as JSON of version 0.3. */
export function writeBundle(bundle: Bundle): Buffer {
  const { envelope, signer, logEntries, timestamps } = bundle;
  const stamps = timestamps.map((stamp) => goStruct({ signedTimestamp: base64(stamp) }));
  const text = goStruct({
    mediaType: signingTypes.bundle,
    verificationMaterial: goStruct({
      ...("certificate" in signer
        ? { certificate: goStruct({ rawBytes: base64(signer.certificate) }) }
        : { publicKey: goStruct({ hint: signer.keyHint }) }),
      tlogEntries: goList(logEntries.map(writeEntry)),
      ...(stamps.length > 0 && {
        timestampVerificationData: goStruct({ rfc3161Timestamps: goList(stamps) }),
      }),
    }),
    dsseEnvelope: goStruct({
      payload: base64(envelope.payload),
      payloadType: envelope.payloadType,
      signatures: goList([goStruct({ sig: base64(envelope.signature) })]),
    }),
  }).text;
  return Buffer.from(text, "utf8");
}

/** Parses a bundle of version 0.3. Unknown members are errors. @throws JsonError */
export function readBundle(bytes: Uint8Array): Bundle {
  const bundle = JsonFields.of(parseJson(bytes, { valuesMax: 10_000 }), "bundle", [
    "mediaType",
    "verificationMaterial",
    "dsseEnvelope",
    "messageSignature",
  ]);
  const type = bundle.string("mediaType");
  if (!bundleTypes.includes(type)) {
    throw jsonError(
      "SHAPE",
      `bundles of the type ${JSON.stringify(type.slice(0, 80))} are not supported`,
    );
  }
  if (!bundle.has("dsseEnvelope")) {
    throw jsonError("SHAPE", "the bundle has no DSSE envelope, so it is not about an image");
  }
  if (bundle.has("messageSignature")) {
    throw jsonError(
      "SHAPE",
      "the bundle has a DSSE envelope and a message signature, but must have only one of them",
    );
  }
  const material = bundle.fields("verificationMaterial", [
    "certificate",
    "publicKey",
    "tlogEntries",
    "timestampVerificationData",
  ]);
  limitItems(material, "tlogEntries", maxLogEntries);
  return {
    envelope: envelopeOf(bundle.fields("dsseEnvelope", ["payload", "payloadType", "signatures"]), [
      "sig",
      "keyid",
    ]),
    signer: readSigner(material),
    logEntries: material.list("tlogEntries").map(readBundledEntry),
    timestamps: readTimestamps(
      material.optionalFields("timestampVerificationData", ["rfc3161Timestamps"]),
    ),
  };
}

function readTimestamps(data: JsonFields | undefined): readonly Buffer[] {
  if (data === undefined) return [];
  limitItems(data, "rfc3161Timestamps");
  return data
    .list("rfc3161Timestamps", ["signedTimestamp"])
    .map((stamp) => stamp.base64("signedTimestamp"));
}

/** Far more than any list in a bundle has, to limit the time for reading one. */
const maxItems = 64;

/** Far more than the logs of a signature. */
const maxLogEntries = 8;

function limitItems(fields: JsonFields, name: string, max = maxItems): void {
  const { length } = fields.items(name);
  if (length <= max) return;
  throw jsonError(
    "SHAPE",
    `${fields.place}.${name} has ${length} items, more than the maximum of ${max}`,
  );
}

const bundleTypes: readonly string[] = [
  signingTypes.bundle,
  "application/vnd.dev.sigstore.bundle+json;version=0.3",
];

const entryNames = [
  "logIndex",
  "logId",
  "kindVersion",
  "integratedTime",
  "inclusionPromise",
  "inclusionProof",
  "canonicalizedBody",
];

function readSigner(material: JsonFields): Bundle["signer"] {
  const certificate = material.optionalFields("certificate", ["rawBytes"]);
  const key = material.optionalFields("publicKey", ["hint"]);
  if (certificate && !key) return { certificate: certificate.base64("rawBytes") };
  if (key && !certificate) return { keyHint: key.optionalString("hint") ?? "" };
  throw jsonError("SHAPE", "a bundle must have either a certificate or a public key");
}

/** A log entry in a bundle or a response of Rekor v2, with the kind stated beside it. */
export interface BundledEntry extends LogEntry {
  readonly kind: string;
}

/**
 * Parses a `TransparencyLogEntry`. Verifies nothing.
 *
 * @throws JsonError
 * @see https://github.com/sigstore/protobuf-specs/blob/main/protos/sigstore_rekor.proto
 */
export function readBundledEntry(fields: JsonFields): BundledEntry {
  const entry = JsonFields.of(fields.object, fields.place, entryNames);
  const kind = entry.fields("kindVersion", ["kind", "version"]);
  const proof = entry.optionalFields("inclusionProof", [
    "logIndex",
    "rootHash",
    "treeSize",
    "hashes",
    "checkpoint",
  ]);
  return {
    kind: `${kind.string("kind")}/${kind.string("version")}`,
    logId: entry.fields("logId", ["keyId"]).base64("keyId"),
    logIndex: entry.int64("logIndex"),
    integratedTime: entry.int64("integratedTime"),
    body: entry.base64("canonicalizedBody"),
    signedEntryTimestamp: entry
      .optionalFields("inclusionPromise", ["signedEntryTimestamp"])
      ?.base64("signedEntryTimestamp"),
    inclusionProof: proof && readProof(proof),
  };
}

function readProof(proof: JsonFields): InclusionProof {
  limitItems(proof, "hashes");
  return {
    logIndex: proof.int64("logIndex"),
    treeSize: proof.int64("treeSize"),
    rootHash: proof.base64("rootHash"),
    hashes: proof
      .items("hashes")
      .map((hash, index) =>
        JsonFields.of({ hash }, `${proof.place}.hashes[${index}]`).base64("hash"),
      ),
    checkpoint: proof.fields("checkpoint", ["envelope"]).string("envelope"),
  };
}

function writeEntry(entry: BundledEntry): GoJson {
  const [kind = "", version = ""] = entry.kind.split("/");
  const { logIndex, logId, integratedTime, signedEntryTimestamp, inclusionProof, body } = entry;
  return goStruct({
    logIndex: String(logIndex),
    logId: goStruct({ keyId: base64(logId) }),
    kindVersion: goStruct({ kind, version }),
    ...(integratedTime !== 0 && { integratedTime: String(integratedTime) }),
    ...(signedEntryTimestamp && {
      inclusionPromise: goStruct({ signedEntryTimestamp: base64(signedEntryTimestamp) }),
    }),
    ...(inclusionProof && {
      inclusionProof: goStruct({
        logIndex: String(inclusionProof.logIndex),
        rootHash: base64(inclusionProof.rootHash),
        treeSize: String(inclusionProof.treeSize),
        hashes: inclusionProof.hashes.map(base64),
        checkpoint: goStruct({ envelope: inclusionProof.checkpoint }),
      }),
    }),
    canonicalizedBody: base64(body),
  });
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
