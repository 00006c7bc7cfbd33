import type { Digest } from "../../../../../src/core/signing/oci/reference/descriptor";
import { writeBundle, type Bundle } from "../../../../../src/core/signing/sigstore/format/bundle";
import {
  attestationLayer,
  signatureLayer,
  type LegacyLayer,
  simpleSigningPayload,
} from "../../../../../src/core/signing/sigstore/format/manifest";
import type { LogEntry } from "../../../../../src/core/signing/sigstore/format/log-entry";
import { storedDsse, storedHashedRekord, storedIntoto } from "../format/stored-entries";
import type { VerificationRules } from "../../../../../src/core/signing/sigstore/verification/verification";
import { verifyAttached } from "../../../../../src/core/signing/sigstore/verification/verify-attached";
import { email, issuer, type Authorities, type Signer } from "./authorities";
import {
  bundleStatement,
  inTotoPayloadType,
  legacyStatement,
  preAuthEncoding,
  signStatement,
  writeEnvelope,
} from "../../../../../src/core/signing/sigstore/format/statement";

export const image: Digest = `sha256:${"ab".repeat(32)}`;
export const repository = "registry.example.com/team/app";
export const predicateType = "https://example.com/check/v1";

/** Whom the tests expect, with everything of these authorities trusted. */
export function rulesOf(
  authorities: Authorities,
  changes: Partial<VerificationRules> = {},
): VerificationRules {
  return {
    trust: { ...authorities.trust(), timestampAuthorities: [] },
    signer: { identities: [{ subject: { equals: email }, issuer: { equals: issuer } }] },
    ...changes,
  };
}

export interface ArtefactProps {
  readonly signer?: Signer | undefined;
  readonly digest?: Digest | undefined;
  readonly time?: Date | undefined;
  readonly stampedAt?: Date | undefined;
  readonly payload?: Buffer | undefined;
  /** Replaces the log's entry, or takes it away. */
  readonly entry?: ((entry: LogEntry) => LogEntry | undefined) | undefined;
}

const unchanged = (entry: LogEntry): LogEntry => entry;

/** A legacy signature. */
export function signature(authorities: Authorities, props: ArtefactProps = {}): LegacyLayer {
  const { signer = authorities.signer(), digest = image, time, entry = unchanged } = props;
  const payload = props.payload ?? simpleSigningPayload({ dockerReference: repository, digest });
  const bytes = signer.key.sign(payload);
  const logged = authorities.log(storedHashedRekord(payload, bytes, signer.pem), time);
  return signatureLayer(payload, bytes, {
    certificatePem: signer.pem,
    chainPem: authorities.chainPem,
    logEntry: entry(logged),
    ...(props.stampedAt && { timestamp: authorities.timestamp(bytes, props.stampedAt) }),
  });
}

/** A legacy attestation. */
export function attestation(
  authorities: Authorities,
  kind: "intoto" | "dsse",
  props: ArtefactProps = {},
): LegacyLayer {
  const { signer = authorities.signer(), digest = image, time, entry = unchanged } = props;
  const predicate = { checked: true };
  const payload =
    props.payload ?? legacyStatement({ name: repository, digest, predicateType, predicate });
  const bytes = signer.key.sign(preAuthEncoding(inTotoPayloadType, payload));
  const envelope = writeEnvelope({
    payloadType: inTotoPayloadType,
    payload,
    signature: bytes,
  });
  const body =
    kind === "intoto"
      ? storedIntoto(envelope, payload, signer.pem)
      : storedDsse(envelope, { payload, signature: bytes }, signer.pem);
  return attestationLayer(envelope, predicateType, {
    certificatePem: signer.pem,
    logEntry: entry(authorities.log(body, time)),
  });
}

/** A bundle with an attestation, or with a signature. */
export function bundleParts(
  authorities: Authorities,
  purpose: "signature" | "attestation",
  props: ArtefactProps = {},
): Bundle {
  const { signer = authorities.signer(), digest = image, time, entry = unchanged } = props;
  const predicate = { checked: true };
  const payload =
    props.payload ??
    (purpose === "signature"
      ? signStatement(digest)
      : bundleStatement({ digest, predicateType, predicate }));
  const bytes = signer.key.sign(preAuthEncoding(inTotoPayloadType, payload));
  const envelope = { payloadType: inTotoPayloadType, payload, signature: bytes };
  const body = storedDsse(writeEnvelope(envelope), envelope, signer.pem);
  const logged = entry(authorities.log(body, time));
  return {
    envelope,
    signer: { certificate: signer.der },
    logEntries: logged ? [{ ...logged, kind: "dsse/0.0.1" }] : [],
    timestamps: props.stampedAt ? [authorities.timestamp(bytes, props.stampedAt)] : [],
  };
}

export function bundle(...args: Parameters<typeof bundleParts>): Buffer {
  return writeBundle(bundleParts(...args));
}

/** Verifies a layer under a `.sig` tag. */
export const verifySignatureLayer = (layer: LegacyLayer, image: Digest, rules: VerificationRules) =>
  verifyAttached({ kind: "layer", layer }, image, "signature", rules);

/** Verifies a layer under a `.att` tag. */
export const verifyAttestationLayer = (
  layer: LegacyLayer,
  image: Digest,
  rules: VerificationRules,
) => verifyAttached({ kind: "layer", layer }, image, "attestation", rules);
