import { JsonFields, parseJson } from "../../../json/parse-json";
import { jsonError } from "../../../json/read-json";
import { toPem } from "../der/der-element";
import type { LogEntryKind } from "./log-entry";

/** The contents of a log entry, to compare with a signature. */
export interface LogBody {
  readonly kind: LogEntryKind;
  /** Hash of the signed bytes (`hashedrekord`) or of the statement in the envelope. */
  readonly content: LoggedHash;
  /** SHA-256 of the whole envelope, in hexadecimal. */
  readonly envelopeSha256?: string | undefined;
  readonly signature?: Buffer | undefined;
  /** The certificate or the public key, as PEM. */
  readonly verifierPem: string;
}

/** The hash of logged content, in hexadecimal. */
export interface LoggedHash {
  readonly of: "signed bytes" | "payload";
  readonly algorithm: "sha256" | "sha384" | "sha512";
  readonly value: string;
}

/** Parses the stored body of a log entry. @throws JsonError, also for unknown kinds */
export function readLogBody(body: Uint8Array): LogBody {
  const entry = JsonFields.of(parseJson(body), "log entry", ["apiVersion", "kind", "spec"]);
  const kind = `${entry.string("kind")}/${entry.string("apiVersion")}`;
  if (!isKnown(kind)) {
    throw jsonError(
      "SHAPE",
      `log entries of the kind ${JSON.stringify(kind.slice(0, 40))} are not supported ` +
        `(supported: ${Object.keys(readers).join(", ")})`,
    );
  }
  return { kind, ...readers[kind](entry.fields("spec")) };
}

function isKnown(kind: string): kind is LogEntryKind {
  return Object.hasOwn(readers, kind);
}

type Content = Omit<LogBody, "kind">;

const readers: Readonly<Record<LogEntryKind, (spec: JsonFields) => Content>> = {
  "hashedrekord/0.0.1": (spec) => {
    const signature = spec.fields("signature");
    return {
      content: hashOf("signed bytes", spec.fields("data").fields("hash")),
      signature: signature.base64("content"),
      verifierPem: pem(signature.fields("publicKey"), "content"),
    };
  },
  "hashedrekord/0.0.2": readRekorV2,
  "intoto/0.0.1": (spec) => {
    const content = spec.fields("content");
    return {
      content: hashOf("payload", content.fields("payloadHash")),
      envelopeSha256: sha256(content.fields("hash")),
      verifierPem: pem(spec, "publicKey"),
    };
  },
  "intoto/0.0.2": (spec) => {
    const content = spec.fields("content");
    const signature = only(content.fields("envelope"), "signatures");
    return {
      content: hashOf("payload", content.fields("payloadHash")),
      // This version encodes the signature in base64 twice.
      signature: Buffer.from(signature.base64("sig").toString("latin1"), "base64"),
      verifierPem: pem(signature, "publicKey"),
    };
  },
  "dsse/0.0.1": (spec) => {
    const signature = only(spec, "signatures");
    return {
      content: hashOf("payload", spec.fields("payloadHash")),
      envelopeSha256: sha256(spec.fields("envelopeHash")),
      signature: signature.base64("signature"),
      verifierPem: pem(signature, "verifier"),
    };
  },
};

/** @see https://github.com/sigstore/rekor-tiles/blob/main/api/proto/rekor/v2/hashedrekord.proto */
function readRekorV2(spec: JsonFields): Content {
  const entry = JsonFields.of(spec.object, spec.place, ["hashedRekordV002"]).fields(
    "hashedRekordV002",
    ["data", "signature"],
  );
  const data = entry.fields("data", ["algorithm", "digest"]);
  const algorithm = rekorV2Hashes[data.string("algorithm")];
  const digest = data.base64("digest");
  if (algorithm === undefined || digest.byteLength !== digestBytes[algorithm]) {
    throw jsonError("SHAPE", `${data.place} is not a SHA-2 digest`);
  }
  const signature = entry.fields("signature", ["content", "verifier"]);
  const verifier = signature.fields("verifier", ["keyDetails", "publicKey", "x509Certificate"]);
  const certificate = verifier.optionalFields("x509Certificate", ["rawBytes"]);
  const publicKey = verifier.optionalFields("publicKey", ["rawBytes"]);
  if ((certificate === undefined) === (publicKey === undefined)) {
    throw verifier.shape("*", "either a certificate or a public key");
  }
  return {
    content: { of: "signed bytes", algorithm, value: digest.toString("hex") },
    signature: signature.base64("content"),
    verifierPem: certificate
      ? toPem("CERTIFICATE", certificate.base64("rawBytes"))
      : toPem("PUBLIC KEY", (publicKey ?? verifier).base64("rawBytes")),
  };
}

const rekorV2Hashes: Readonly<Record<string, LoggedHash["algorithm"] | undefined>> = {
  SHA2_256: "sha256",
  SHA2_384: "sha384",
  SHA2_512: "sha512",
};

const digestBytes = { sha256: 32, sha384: 48, sha512: 64 } as const;

function hashOf(of: LoggedHash["of"], hash: JsonFields): LoggedHash {
  return { of, algorithm: "sha256", value: sha256(hash) };
}

function only(fields: JsonFields, name: string): JsonFields {
  const [item, ...others] = fields.list(name);
  if (item === undefined || others.length > 0) throw fields.shape(name, "a list with one item");
  return item;
}

function sha256(hash: JsonFields): string {
  const value = hash.string("value");
  if (hash.string("algorithm") !== "sha256" || !/^[0-9a-f]{64}$/.test(value)) {
    throw jsonError("SHAPE", `${hash.place} is not a sha256`);
  }
  return value;
}

function pem(fields: JsonFields, name: string): string {
  return fields.base64(name).toString("utf8");
}
