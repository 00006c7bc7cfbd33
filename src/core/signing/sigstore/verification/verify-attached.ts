import {
  attempt,
  demand,
  type IdentityRule,
  isVerified,
  type Verification,
  type VerificationRules,
  type VerifiedAttestation,
  type VerifiedSignature,
  within,
} from "./verification";
import { type LegacyLayer, readSimpleSigning, annotation, signingTypes } from "../format/manifest";
import { parseJson, fromBase64, JsonFields } from "../../../json/parse-json";
import { Certificate } from "../certificate/certificate";
import { checkPresentedCount } from "./certificate-chain";
import { readLogBundle } from "../format/log-entry";
import { type SignedContent, verifyContent } from "./signed-content";
import {
  hasSubject,
  inTotoPayloadType,
  preAuthEncoding,
  readEnvelope,
  readStatement,
  signPredicateType,
  type Statement,
} from "../format/statement";
import { readLogBody } from "../format/log-body";
import { type Bundle, readBundle } from "../format/bundle";
import { type Digest, sha256Hex } from "../../oci/reference/descriptor";

/** The content of something attached to an image: a layer of a legacy signature or attestation, or a bundle. */
export type Attached =
  | { readonly kind: "layer"; readonly layer: LegacyLayer }
  | { readonly kind: "bundle"; readonly bytes: Uint8Array };

/** An attestation never counts as a signature, nor a signature as an attestation. */
export type BundlePurpose = "signature" | "attestation";

/** The content, with the type of its payload; undefined for the payload of a legacy signature. */
interface AttachedContent extends SignedContent {
  readonly payloadType?: string | undefined;
}

const anything = { contains: { source: "", isFoundIn: () => true } };

export const anyIdentity: IdentityRule = { subject: anything, issuer: anything };

/** Verifies what is attached to an image as a signature or an attestation of it. */
export function verifyAttached(
  attached: Attached,
  image: Digest,
  purpose: "attestation",
  rules: VerificationRules,
): Verification<VerifiedAttestation>;
export function verifyAttached(
  attached: Attached,
  image: Digest,
  purpose: BundlePurpose,
  rules: VerificationRules,
): Verification<VerifiedSignature | VerifiedAttestation>;
export function verifyAttached(
  attached: Attached,
  image: Digest,
  purpose: BundlePurpose,
  rules: VerificationRules,
): Verification<VerifiedSignature | VerifiedAttestation> {
  return attempt(() => {
    const content = attachedContent(attached, purpose);
    const { payload, payloadType, signature } = content;
    const isOther =
      attached.kind === "bundle" && "key" in rules.signer && content.certificate !== undefined;
    demand(!isOther, "IDENTITY", "signed with a certificate, expected a bare key");
    const verified = verifyContent(content, rules);
    if (payloadType === undefined) {
      const { digest, dockerReference } = readSimpleSigning(payload);
      demand(digest === image, "CLAIM", `the signature is about another image, ${digest}`);
      return { ...verified, signature, dockerReference };
    }
    const statement = checkStatement(payloadType, payload, image);
    const bytes = attached.kind === "bundle" ? attached.bytes : attached.layer.blob;
    const facts = { statementSha256: sha256Hex(payload), contentSha256: sha256Hex(bytes) };
    if (attached.kind === "layer") checkAttestationLayer(attached.layer, statement);
    else checkPurpose(statement, purpose);
    const own = attached.kind === "layer" ? signatureIn(attached.layer) : signature;
    return { ...verified, signature: own ?? Buffer.alloc(0), statement, ...facts };
  });
}

/** {@link verifyAttached} for a bundle, about an image or a file. */
export function verifyBundle(
  bytes: Uint8Array,
  subject: Digest,
  purpose: BundlePurpose,
  rules: VerificationRules,
): Verification<VerifiedAttestation> {
  const result = verifyAttached({ kind: "bundle", bytes }, subject, purpose, rules);
  if (!isVerified(result) || "statement" in result) return result;
  throw new Error("a bundle has a statement");
}

function checkPurpose({ predicateType: type }: Statement, purpose: BundlePurpose): void {
  demand(
    (type === signPredicateType) === (purpose === "signature"),
    "CLAIM",
    `the bundle is not ${purpose === "signature" ? "a signature" : "an attestation"}: its predicate type is ${JSON.stringify(type)}`,
  );
}

function checkAttestationLayer({ annotations }: LegacyLayer, { predicateType }: Statement): void {
  const annotated = annotations[annotation.predicateType] ?? predicateType;
  const problem = "the layer's annotation has another predicate type";
  demand(annotated === predicateType, "CLAIM", problem);
  const isSignature = predicateType === signPredicateType;
  demand(!isSignature, "CLAIM", "the statement is a signature, not an attestation");
}

/** Reads the statement in a verified envelope, which must be about the image. */
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

/**
 * Reads what is attached. Verifies nothing.
 *
 * @throws VerificationError, JsonError
 */
export function attachedContent(attached: Attached, purpose: BundlePurpose): AttachedContent {
  if (attached.kind === "bundle") return bundleContent(readBundle(attached.bytes));
  const { layer } = attached;
  return purpose === "signature" ? signatureContent(layer) : attestationContent(layer);
}

function bundleContent(bundle: Bundle): AttachedContent {
  const { payloadType, payload, signature } = bundle.envelope;
  return {
    bytes: preAuthEncoding(payloadType, payload),
    payloadType,
    payload,
    signature,
    certificate: "certificate" in bundle.signer ? bundle.signer.certificate : undefined,
    chain: [],
    ...entriesOf(bundle),
    logKinds: ["dsse/0.0.1", "intoto/0.0.2", "hashedrekord/0.0.2"],
    logProof: "required",
    timestamps: bundle.timestamps,
  };
}

/** The log entries, each in another log and of the kind that the bundle states. */
function entriesOf({ logEntries }: Bundle) {
  const [logEntry, ...otherLogEntries] = logEntries;
  const logs = new Set(logEntries.map(({ logId }) => logId.toString("hex")));
  demand(
    logs.size === logEntries.length,
    "TRANSPARENCY_LOG",
    "the bundle has more than one entry of the same transparency log",
  );
  for (const { kind, body } of logEntries) {
    const logged = within("TRANSPARENCY_LOG", () => readLogBody(body));
    demand(
      logged.kind === kind,
      "TRANSPARENCY_LOG",
      "the kind of the log entry differs from the one in the bundle",
    );
  }
  return { logEntry, otherLogEntries };
}

function signatureContent(layer: LegacyLayer): AttachedContent {
  expectType(layer, signingTypes.simpleSigning);
  const signature = signatureIn(layer);
  const isSigned = signature !== undefined && signature.byteLength > 0;
  demand(isSigned, "FORMAT", "the layer has no signature annotation");
  const { blob } = layer;
  const evidence = evidenceOf(layer);
  return { ...evidence, bytes: blob, payload: blob, signature, logKinds: ["hashedrekord/0.0.1"] };
}

function attestationContent(layer: LegacyLayer): AttachedContent {
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

const signatureIn = ({ annotations }: LegacyLayer): Buffer | undefined =>
  fromBase64(annotations[annotation.signature] ?? "");

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
