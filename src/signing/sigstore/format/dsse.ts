import { goList, goStruct } from "../../../json/go-json";
import { JsonFields } from "../../../json/json-fields";
import { parseJson } from "../../../json/parse-json";
import { JsonError } from "../../../json/json-error";

/** The payload type of attestations. */
export const inTotoPayloadType = "application/vnd.in-toto+json";

/**
 * A DSSE envelope with exactly one signature.
 *
 * @see https://github.com/secure-systems-lab/dsse/blob/master/envelope.md
 */
export interface DsseEnvelope {
  readonly payloadType: string;
  readonly payload: Buffer;
  readonly signature: Buffer;
}

/**
 * The bytes that an envelope's signature covers (pre-authentication encoding).
 *
 * @see https://github.com/secure-systems-lab/dsse/blob/master/protocol.md
 */
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
 * Serializes an envelope as JSON.
 *
 * The log contains the hash of exactly these bytes, so they must become the layer unchanged.
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
 * Parses an envelope. Several signatures are an error, because only one is verified.
 *
 * @throws JsonError
 */
export function readEnvelope(bytes: Uint8Array): DsseEnvelope {
  return envelopeOf(JsonFields.of(parseJson(bytes, { valuesMax: 1_000 }), "envelope"));
}

/**
 * Reads an envelope from parsed JSON.
 *
 * @param known the only members that a signature may have. @default all
 * @throws JsonError
 */
export function envelopeOf(envelope: JsonFields, known?: readonly string[]): DsseEnvelope {
  const [signature, ...others] = envelope.list("signatures", known);
  if (signature === undefined || others.length > 0) {
    throw new JsonError("SHAPE", "an envelope must have exactly one signature");
  }
  signature.optionalString("keyid");
  return {
    payloadType: envelope.string("payloadType"),
    payload: envelope.base64("payload"),
    signature: signature.base64("sig"),
  };
}
