import { type Digest, sha256Hex } from "../../oci/reference/digest";
import { Certificate } from "../certificate/certificate";
import { annotation, signingTypes } from "../format/manifest";
import { type LegacyLayer, readSimpleSigning } from "../format/legacy-layer";
import { readLogBundle } from "../format/log-entry";
import { JsonFields, fromBase64 } from "../../../json/json-fields";
import { parseJson } from "../../../json/parse-json";
import { checkPresentedCount } from "./certificate-chain";
import { verifyContent, type SignedContent } from "./signed-content";
import {
  type Verification,
  type VerificationRules,
  type VerifiedAttestation,
  type VerifiedSignature,
  demand,
  attempt,
  within,
} from "./verification";
import {
  hasSubject,
  inTotoPayloadType,
  preAuthEncoding,
  readEnvelope,
  readStatement,
  signPredicateType,
  type Statement,
} from "../format/statement";

/** Verifies a layer under a `.sig` tag as a signature of the image. */
export function verifySignatureLayer(
  layer: LegacyLayer,
  image: Digest,
  rules: VerificationRules,
): Verification<VerifiedSignature> {
  return attempt(() => {
    const content = signatureContent(layer);
    const verified = verifyContent(content, rules);
    const { digest, dockerReference } = readSimpleSigning(layer.blob);
    demand(digest === image, "CLAIM", `the signature is about another image, ${digest}`);
    return { ...verified, signature: content.signature, dockerReference };
  });
}

/** Reads a layer under a `.sig` tag. Verifies nothing. @throws VerificationError */
export function signatureContent(layer: LegacyLayer): SignedContent {
  expectType(layer, signingTypes.simpleSigning);
  const signature = fromBase64(layer.annotations[annotation.signature] ?? "");
  demand(
    signature !== undefined && signature.byteLength > 0,
    "FORMAT",
    "the layer has no signature annotation",
  );
  const { blob } = layer;
  const evidence = evidenceOf(layer);
  return { ...evidence, bytes: blob, payload: blob, signature, logKinds: ["hashedrekord/0.0.1"] };
}

/** Verifies a layer under a `.att` tag as an attestation of the image. */
export function verifyAttestationLayer(
  layer: LegacyLayer,
  image: Digest,
  rules: VerificationRules,
): Verification<VerifiedAttestation> {
  return attempt(() => {
    const content = attestationContent(layer);
    const { payloadType, payload } = content;
    const verified = verifyContent(content, rules);
    const statement = checkStatement(payloadType, payload, image);
    const annotated = layer.annotations[annotation.predicateType];
    demand(
      annotated === undefined || annotated === statement.predicateType,
      "CLAIM",
      "the layer's annotation has another predicate type",
    );
    demand(
      statement.predicateType !== signPredicateType,
      "CLAIM",
      "the statement is a signature, not an attestation",
    );
    return {
      ...verified,
      signature: fromBase64(layer.annotations[annotation.signature] ?? "") ?? Buffer.alloc(0),
      statement,
      statementSha256: sha256Hex(payload),
      contentSha256: sha256Hex(layer.blob),
    };
  });
}

/** The content of an envelope, with the type of its payload. */
export interface EnvelopeContent extends SignedContent {
  readonly payloadType: string;
}

/** Reads a layer under a `.att` tag. Verifies nothing. @throws VerificationError, JsonError */
export function attestationContent(layer: LegacyLayer): EnvelopeContent {
  expectType(layer, signingTypes.dsseEnvelope);
  const { blob } = layer;
  const { payloadType, payload, signature } = readEnvelope(blob);
  return {
    ...evidenceOf(layer),
    bytes: preAuthEncoding(payloadType, payload),
    payloadType,
    payload,
    envelope: blob,
    signature,
    // cosign 2 stamps the whole envelope, cosign 3 the signature in it.
    stamped: [blob, signature],
    logKinds: ["intoto/0.0.1", "dsse/0.0.1"],
  };
}

/** Reads the statement in a verified envelope, and checks that it is about the image. */
export function checkStatement(payloadType: string, payload: Buffer, image: Digest): Statement {
  demand(
    payloadType === inTotoPayloadType,
    "CLAIM",
    "the envelope does not contain an in-toto statement",
  );
  const statement = readStatement(payload);
  demand(hasSubject(statement, image), "CLAIM", "the statement is not about this image");
  return statement;
}

type Evidence = Pick<
  SignedContent,
  "certificate" | "chain" | "logEntry" | "logProof" | "timestamps"
>;

function evidenceOf({ annotations }: LegacyLayer): Evidence {
  // Some tools write an empty string for a missing value.
  const annotated = (name: string): string | undefined => {
    const value = annotations[name];
    return value === "" ? undefined : value;
  };
  const certificate = annotated(annotation.certificate);
  const chain = annotated(annotation.chain);
  const log = annotated(annotation.logBundle);
  const stamp = annotated(annotation.timestamp);
  return {
    certificate: certificate === undefined ? undefined : onlyCertificate(certificate),
    chain: chain === undefined ? [] : someCertificates(chain),
    logEntry: log === undefined ? undefined : within("TRANSPARENCY_LOG", () => readLogBundle(log)),
    logProof: "optional",
    timestamps: stamp === undefined ? [] : [readTimestampAnnotation(stamp)],
  };
}

function onlyCertificate(pem: string): Buffer {
  const [certificate, ...others] = someCertificates(pem);
  demand(
    certificate !== undefined && others.length === 0,
    "CERTIFICATE",
    "the layer must have exactly one certificate",
  );
  return certificate.der;
}

// Only certificate blocks are allowed: anything else would be ignored.
const onlyBlocks =
  /^(?:-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]*-----END CERTIFICATE-----\s*)+$/;

function someCertificates(pem: string): readonly Certificate[] {
  checkPresentedCount(pem.split("-----BEGIN").length - 1, "signature");
  const isPem = onlyBlocks.test(pem);
  demand(isPem, "CERTIFICATE", "an annotation for certificates is not valid PEM");
  return within("CERTIFICATE", () => Certificate.fromPem(pem));
}

function readTimestampAnnotation(text: string): Buffer {
  const name = "SignedRFC3161Timestamp";
  return within("TIMESTAMP", () =>
    JsonFields.of(parseJson(text), "timestamp", [name]).base64(name),
  );
}

function expectType({ mediaType }: LegacyLayer, expected: string): void {
  demand(mediaType === expected, "FORMAT", `the layer does not have the type ${expected}`);
}
