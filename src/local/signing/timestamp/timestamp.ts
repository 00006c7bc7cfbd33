import { type AuthorityChain, newSerial } from "../certificate/authority-chain";
import { answerBytes, HttpFailure } from "../../service/answer";
import { readBody, routes } from "../../service/request";
import type { Listener } from "../../service/service";
import { createHash } from "node:crypto";
import { DerElement, DerTag } from "../../../core/signing/sigstore/der/der-element";
import {
  readBoolean,
  readInteger,
  readObjectIdentifier,
  readOctetString,
} from "../../../core/signing/sigstore/der/read-value";
import {
  derContext,
  derElement,
  derGeneralizedTime,
  derInteger,
  derObjectIdentifier,
  derOctetString,
  derSequence,
  derSet,
  derTime,
  derUnsigned,
  derUtf8String,
} from "../../../core/signing/sigstore/der/write-der";
import { ecdsaWithSha256 } from "../certificate/write-certificate";

export const timestampPath = "/api/v1/timestamp";

/** The HTTP API of a timestamp authority (RFC 3161 §3.4). */
export function timestampListener(chain: AuthorityChain, now: () => Date): Listener {
  return routes("the timestamp authority", {
    [`GET ${timestampPath}/certchain`]: ({ response }) => {
      const type = { "content-type": "application/pem-certificate-chain" };
      answerBytes(response, 200, Buffer.from(chain.pem), type);
    },
    [`POST ${timestampPath}`]: async ({ request, response }) => {
      if (request.headers["content-type"] !== "application/timestamp-query") {
        throw new HttpFailure(415, "a request must have the type application/timestamp-query");
      }
      const [status, answer] = stamp(await readBody(request, 65_536), chain, now());
      answerBytes(response, status, answer, { "content-type": "application/timestamp-reply" });
    },
  });
}

function stamp(request: Buffer, chain: AuthorityChain, now: Date): readonly [number, Buffer] {
  let parsed;
  try {
    parsed = parseTimestampRequest(request);
  } catch (failure) {
    const problem = failure instanceof Error ? failure.message : "the request is malformed";
    return [400, writeRejection(problem)];
  }
  return [201, writeTimestamp(parsed, chain, now)];
}

/** A request for a timestamp (RFC 3161 §2.4.1). */
interface TimestampRequest {
  /** MessageImprint in DER, copied unchanged to the response. */
  readonly imprint: Buffer;
  readonly nonce: bigint | undefined;
  /** True if the response must contain the certificate. */
  readonly wantsCertificate: boolean;
}

const digestSizes: Readonly<Record<string, number>> = {
  "2.16.840.1.101.3.4.2.1": 32,
  "2.16.840.1.101.3.4.2.2": 48,
  "2.16.840.1.101.3.4.2.3": 64,
};

/**
 * Parses a request for a timestamp.
 *
 * @throws DerError if it is not valid DER; Error with the reason if the request is not supported
 */
function parseTimestampRequest(bytes: Uint8Array): TimestampRequest {
  const [version, imprint, ...options] = DerElement.read(bytes).sequence();
  if (version === undefined || imprint === undefined || readInteger(version) !== 1n) {
    throw new Error("the request does not have version 1");
  }
  const [algorithm, digest] = imprint.sequence();
  const [name] = algorithm?.sequence() ?? [];
  const size = name && digestSizes[readObjectIdentifier(name)];
  if (digest === undefined || size === undefined)
    throw new Error("the digest algorithm is unknown");
  if (readOctetString(digest).byteLength !== size)
    throw new Error("the digest has the wrong length");
  const nonce = options.find(({ tag }) => tag === DerTag.integer);
  const wantsCertificate = options.find(({ tag }) => tag === DerTag.boolean);
  return {
    imprint: imprint.bytes,
    nonce: nonce && readInteger(nonce),
    wantsCertificate: wantsCertificate !== undefined && readBoolean(wantsCertificate),
  };
}

const oid = {
  sha256: "2.16.840.1.101.3.4.2.1",
  signedData: "1.2.840.113549.1.7.2",
  timestampInfo: "1.2.840.113549.1.9.16.1.4",
  contentType: "1.2.840.113549.1.9.3",
  messageDigest: "1.2.840.113549.1.9.4",
  signingTime: "1.2.840.113549.1.9.5",
  signingCertificateV2: "1.2.840.113549.1.9.16.2.47",
  policy: "1.3.6.1.4.1.57264.2",
} as const;

const sha256Algorithm = derSequence(derObjectIdentifier(oid.sha256));

/** Encodes TimeStampResp with a timestamp. */
function writeTimestamp(request: TimestampRequest, chain: AuthorityChain, now: Date): Buffer {
  const nonce = request.nonce === undefined ? [] : [derInteger(request.nonce)];
  const info = derSequence(
    derInteger(1),
    derObjectIdentifier(oid.policy),
    request.imprint,
    derUnsigned(newSerial()),
    derGeneralizedTime(now),
    ...nonce,
  );
  const [certificate] = chain.certificates;
  const content = derSequence(
    derInteger(3),
    derSet(sha256Algorithm),
    derSequence(derObjectIdentifier(oid.timestampInfo), derContext(0, derOctetString(info))),
    ...(request.wantsCertificate ? [derContext(0, certificate)] : []),
    derSet(writeSigner(info, chain, now)),
  );
  const token = derSequence(derObjectIdentifier(oid.signedData), derContext(0, content));
  return derSequence(derSequence(derInteger(0)), token);
}

/** Encodes TimeStampResp with a rejection. */
function writeRejection(problem: string): Buffer {
  return derSequence(derSequence(derInteger(2), derSequence(derUtf8String(problem))));
}

function writeSigner(info: Buffer, chain: AuthorityChain, now: Date): Buffer {
  const [certificate] = chain.certificates;
  const attributes = [
    attribute(oid.contentType, derObjectIdentifier(oid.timestampInfo)),
    attribute(oid.messageDigest, derOctetString(sha256(info))),
    attribute(oid.signingTime, derTime(now)),
    attribute(
      oid.signingCertificateV2,
      // SHA-256 is the default algorithm of ESSCertIDv2, and DER omits defaults.
      derSequence(derSequence(derSequence(derOctetString(sha256(certificate))))),
    ),
  ];
  // Signed with the tag SET, but stored with an implicit tag.
  const set = derSet(...attributes);
  const sorted = attributes.toSorted((a, b) => Buffer.compare(a, b));
  return derSequence(
    derInteger(1),
    derSequence(chain.issuer, derUnsigned(chain.serial)),
    sha256Algorithm,
    derContext(0, ...sorted),
    ecdsaWithSha256,
    derElement(DerTag.octetString, chain.key.sign(set)),
  );
}

function attribute(type: string, value: Uint8Array): Buffer {
  return derSequence(derObjectIdentifier(type), derSet(value));
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}
