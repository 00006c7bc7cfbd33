import { JsonFields } from "../../../json/json-fields";
import { parseJson } from "../../../json/parse-json";
import { FormatError } from "../payload/format-error";
import type { LogEntryKind } from "./log-entry";

/** The contents of a log entry, to compare with a signature. */
export interface LogBody {
  readonly kind: LogEntryKind;
  /** SHA-256 of the signed bytes (`hashedrekord`) or of the statement in the envelope, in hexadecimal. */
  readonly payloadSha256: string;
  /** SHA-256 of the whole envelope, in hexadecimal. */
  readonly envelopeSha256?: string | undefined;
  readonly signature?: Buffer | undefined;
  /** The certificate or the public key, as PEM. */
  readonly verifierPem: string;
}

/**
 * Parses the stored body of a log entry.
 *
 * @throws JsonError, FormatError also for unknown kinds
 */
export function readLogBody(body: Uint8Array): LogBody {
  const entry = JsonFields.of(parseJson(body), "log entry", ["apiVersion", "kind", "spec"]);
  const kind = `${entry.text("kind")}/${entry.text("apiVersion")}`;
  if (!isKnown(kind)) {
    throw new FormatError(
      `log entries of the kind ${JSON.stringify(kind.slice(0, 40))} are not supported ` +
        `(supported: ${Object.keys(readers).join(", ")})`,
    );
  }
  return readers[kind](entry.fields("spec"));
}

function isKnown(kind: string): kind is LogEntryKind {
  return Object.hasOwn(readers, kind);
}

const readers: Readonly<Record<LogEntryKind, (spec: JsonFields) => LogBody>> = {
  "hashedrekord/0.0.1": (spec) => {
    const signature = spec.fields("signature");
    return {
      kind: "hashedrekord/0.0.1",
      payloadSha256: sha256(spec.fields("data").fields("hash")),
      signature: signature.base64("content"),
      verifierPem: pem(signature.fields("publicKey"), "content"),
    };
  },
  "intoto/0.0.1": (spec) => {
    const content = spec.fields("content");
    return {
      kind: "intoto/0.0.1",
      payloadSha256: sha256(content.fields("payloadHash")),
      envelopeSha256: sha256(content.fields("hash")),
      verifierPem: pem(spec, "publicKey"),
    };
  },
  "intoto/0.0.2": (spec) => {
    const content = spec.fields("content");
    const signature = only(content.fields("envelope"), "signatures");
    return {
      kind: "intoto/0.0.2",
      payloadSha256: sha256(content.fields("payloadHash")),
      // This version encodes the signature in base64 twice.
      signature: Buffer.from(signature.base64("sig").toString("latin1"), "base64"),
      verifierPem: pem(signature, "publicKey"),
    };
  },
  "dsse/0.0.1": (spec) => {
    const signature = only(spec, "signatures");
    return {
      kind: "dsse/0.0.1",
      payloadSha256: sha256(spec.fields("payloadHash")),
      envelopeSha256: sha256(spec.fields("envelopeHash")),
      signature: signature.base64("signature"),
      verifierPem: pem(signature, "verifier"),
    };
  },
};

function only(fields: JsonFields, name: string): JsonFields {
  const [item, ...others] = fields.list(name);
  if (item === undefined || others.length > 0) throw fields.shape(name, "a list with one item");
  return item;
}

function sha256(hash: JsonFields): string {
  const value = hash.text("value");
  if (hash.text("algorithm") !== "sha256" || !/^[0-9a-f]{64}$/.test(value)) {
    throw new FormatError(`${hash.place} is not a sha256`);
  }
  return value;
}

function pem(fields: JsonFields, name: string): string {
  return fields.base64(name).toString("utf8");
}
