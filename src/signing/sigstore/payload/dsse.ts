import { goList, goStruct } from "../../../json/go-json";
import { JsonFields } from "../../../json/json-fields";
import { parseJson } from "../../../json/parse-json";
import { FormatError } from "./format-error";

/** What the payload of every attestation's envelope is. */
export const inTotoPayloadType = "application/vnd.in-toto+json";

/** A DSSE envelope with its one signature. */
export interface DsseEnvelope {
  readonly payloadType: string;
  readonly payload: Buffer;
  readonly signature: Buffer;
}

/** The bytes that an envelope's signature covers (DSSE's pre-authentication encoding). */
export function preAuthEncoding(payloadType: string, payload: Uint8Array): Buffer {
  const type = Buffer.from(payloadType, "utf8");
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${type.byteLength} `),
    type,
    Buffer.from(` ${payload.byteLength} `),
    payload,
  ]);
}

/**
 * The envelope as JSON text.
 *
 * The log keeps the hash of exactly these bytes: they become the layer unchanged.
 */
export function writeEnvelope({ payloadType, payload, signature }: DsseEnvelope): Buffer {
  const text = goStruct({
    payloadType,
    payload: payload.toString("base64"),
    signatures: goList([goStruct({ keyid: "", sig: signature.toString("base64") })]),
  }).text;
  return Buffer.from(text, "utf8");
}

/**
 * Reads an envelope; several signatures are refused, as only one is ever checked.
 *
 * @throws JsonError, FormatError
 */
export function readEnvelope(bytes: Uint8Array): DsseEnvelope {
  return envelopeOf(JsonFields.of(parseJson(bytes), "envelope"));
}

/** Reads an envelope that stands inside of other JSON. */
export function envelopeOf(envelope: JsonFields): DsseEnvelope {
  const [signature, ...others] = envelope.list("signatures");
  if (signature === undefined || others.length > 0) {
    throw new FormatError("an envelope must have exactly one signature");
  }
  return {
    payloadType: envelope.text("payloadType"),
    payload: envelope.base64("payload"),
    signature: signature.base64("sig"),
  };
}
