import { createHash } from "node:crypto";
import {
  derContext,
  derNamedBits,
  derObjectIdentifier,
  derOctetString,
  derSequence,
  derUnsigned,
} from "../../../../../src/core/signing/sigstore/der/write-der";
import { checkTimestamp } from "../../../../../src/core/signing/sigstore/verification/timestamp-check";
import { writeBundle } from "../../../../../src/core/signing/sigstore/format/bundle";
import { SigningKey } from "../../../../../src/local/signing/keys/signing-key";
import {
  writeName,
  keyUsageExtension,
  purposeExtension,
  writeExtension,
} from "../../../../../src/local/signing/certificate/write-certificate";
import { bundleParts, image, rulesOf, signature, verifySignatureLayer } from "./artefacts";
import { Authorities, serialOf, signedAt } from "./authorities";
import {
  attribute,
  certificateAttribute,
  olderCertificateAttribute,
  type StampProps,
} from "./stamp";
import { verifyBundle } from "../../../../../src/core/signing/sigstore/verification/verify-attached";

const world = new Authorities();
const authorities = world.trust().timestampAuthorities;
const bytes = Buffer.from("signed");
const rootName = writeName("test", "stamp root");
const time = { time: signedAt };

/** A timestamp by a certificate of the trusted authority with these extensions. */
function stampedBy(...extensions: readonly Buffer[]): Buffer {
  const key = SigningKey.generate();
  const certificate = world.authority(
    ...([rootName, writeName("test", "other"), key, world.rootKey] as const),
    extensions,
  );
  const presented = [certificate];
  return world.timestamp(bytes, signedAt, {
    key,
    certificate,
    presented,
    issuer: rootName,
    serial: serialOf(certificate),
  });
}

const usage = (...bits: readonly number[]): Buffer =>
  writeExtension("2.5.29.15", derNamedBits(...bits), true);
const forTimestamps = purposeExtension("timeStamping", true);
const two = writeExtension(
  "2.5.29.37",
  derSequence(derObjectIdentifier("1.3.6.1.5.5.7.3.8"), derObjectIdentifier("1.3.6.1.5.5.7.3.3")),
  true,
);

describe("the certificate of a timestamp", () => {
  test.each<[string, readonly Buffer[]]>([
    ["for digital signatures", [keyUsageExtension("digitalSignature"), forTimestamps]],
    ["for digital signatures and non-repudiation", [usage(0, 1), forTimestamps]],
    ["without a key usage", [forTimestamps]],
  ])("may be one %s", (_, extensions) => {
    expect(checkTimestamp(stampedBy(...extensions), [bytes], authorities)).toEqual(time);
  });

  test.each<[string, readonly Buffer[]]>([
    ["whose purpose is not critical", [usage(0), purposeExtension("timeStamping")]],
    ["with another purpose beside it", [usage(0), two]],
    ["without a purpose", [usage(0)]],
    ["only for non-repudiation", [usage(1), forTimestamps]],
    ["that also signs certificates", [usage(0, 5), forTimestamps]],
    ["that also encrypts keys", [usage(0, 2), forTimestamps]],
  ])("is not one %s", (_, extensions) => {
    expect(() => checkTimestamp(stampedBy(...extensions), [bytes], authorities)).toThrow(
      "the certificate of the timestamp must be for timestamps only",
    );
  });

  const sha = (name: string, of: Buffer) => createHash(name).update(of).digest();
  const other = new Authorities().stamp;
  const issuerSerial = (issuer: Buffer, serial: Buffer) =>
    derSequence(derSequence(derContext(4, issuer)), derUnsigned(serial));
  const newer = (...parts: readonly Buffer[]) =>
    attribute("1.2.840.113549.1.9.16.2.47", derSequence(derSequence(derSequence(...parts))));
  const sha512 = derSequence(derObjectIdentifier("2.16.840.1.101.3.4.2.3"));
  const digest = derOctetString(sha("sha256", world.stamp));
  const serial = serialOf(world.stamp);

  test.each<[string, readonly Buffer[]]>([
    ["SHA-256", [certificateAttribute(world.stamp)]],
    ["SHA-512", [newer(sha512, derOctetString(sha("sha512", world.stamp)))]],
    ["SHA-1, as older authorities do", [olderCertificateAttribute(world.stamp)]],
    ["both", [olderCertificateAttribute(world.stamp), certificateAttribute(world.stamp)]],
    ["SHA-256, its issuer and its number", [newer(digest, issuerSerial(rootName, serial))]],
  ])("may be named by %s", (_, certificateAttributes) => {
    const stamp = world.timestamp(bytes, signedAt, { certificateAttributes });
    expect(checkTimestamp(stamp, [bytes], authorities)).toEqual(time);
  });

  test.each<[string, readonly Buffer[], string]>([
    ["of another certificate", [certificateAttribute(other)], "bound to another certificate"],
    ["of another certificate by SHA-1", [olderCertificateAttribute(other)], "bound to another"],
    [
      "of two certificates",
      [olderCertificateAttribute(other), certificateAttribute(world.stamp)],
      "bound to another certificate",
    ],
    [
      "of another issuer",
      [newer(digest, issuerSerial(writeName("test", "x"), serial))],
      "bound to another certificate",
    ],
    [
      "of another number",
      [newer(digest, issuerSerial(rootName, Buffer.of(7)))],
      "bound to another certificate",
    ],
    ["of none", [], "must contain the hash of its signer's certificate"],
    [
      "by an unknown hash",
      [newer(derSequence(derObjectIdentifier("1.2.3")), digest)],
      "by an unknown hash",
    ],
    [
      "without a number",
      [newer(digest, derSequence(derSequence(derContext(4, rootName))))],
      "must identify its signer by one directory name",
    ],
    [
      "of two issuers",
      [
        newer(
          digest,
          derSequence(
            derSequence(derContext(4, rootName), derContext(4, rootName)),
            derUnsigned(serial),
          ),
        ),
      ],
      "must identify its signer by one directory name",
    ],
    [
      "twice",
      [certificateAttribute(world.stamp), certificateAttribute(other)],
      "must have the attribute",
    ],
  ])("is not accepted with the name %s", (_, certificateAttributes, problem) => {
    const stamp = world.timestamp(bytes, signedAt, { certificateAttributes });
    expect(() => checkTimestamp(stamp, [bytes], authorities)).toThrow(problem);
  });
});

test.each<[string, Partial<StampProps>, string]>([
  ["without a time", { changed: (fields) => fields.slice(0, 4) }, "lacks its time"],
  [
    "whose imprint has no hash",
    { changed: (fields) => fields.with(2, derSequence(derSequence(derObjectIdentifier("1.2.3")))) },
    "lacks its imprint",
  ],
  ["whose signed attributes have another tag", { attributesTag: 1 }, "tag"],
])("a timestamp %s is refused", (_, changes, problem) => {
  const stamp = world.timestamp(bytes, signedAt, changes);
  expect(() => checkTimestamp(stamp, [bytes], authorities)).toThrow(problem);
});

describe("a timestamp that the policy does not require", () => {
  const stranger = new Authorities();
  const trust = world.trust();
  const check = (stamp: Buffer, of = trust, required: "log" | "log-and-timestamp" = "log") => {
    const layer = signature(world, { stampedAt: signedAt });
    const text = JSON.stringify({ SignedRFC3161Timestamp: stamp.toString("base64") });
    const annotations = {
      ...layer.annotations,
      "dev.sigstore.cosign/rfc3161timestamp": text,
    };
    return verifySignatureLayer({ ...layer, annotations }, image, {
      ...rulesOf(world, { trust: of }),
      time: required,
    });
  };
  // The signature is another one each time, so that each timestamp is made for it.
  const stampedBySomebody = (by: Authorities, presented: readonly Buffer[] = []) => {
    const made = world.signer();
    const plain = signature(world, { signer: made });
    const signed = Buffer.from(
      plain.annotations["dev.cosignproject.cosign/signature"] ?? "",
      "base64",
    );
    const stamp = by.timestamp(signed, signedAt, { presented });
    const text = JSON.stringify({ SignedRFC3161Timestamp: stamp.toString("base64") });
    const annotations = { ...plain.annotations, "dev.sigstore.cosign/rfc3161timestamp": text };
    return (of = trust, required: "log" | "log-and-timestamp" = "log") =>
      verifySignatureLayer({ ...plain, annotations }, image, {
        ...rulesOf(world, { trust: of }),
        time: required,
      });
  };

  test.each<[string, readonly Buffer[]]>([
    ["without its certificate", []],
    ["with its certificate", [stranger.stamp]],
    ["with its whole chain", [stranger.stamp, stranger.stampRoot]],
  ])("is ignored if its authority is not a trusted one: %s", (_, presented) => {
    const result = stampedBySomebody(stranger, presented);
    expect(result()).toMatchObject({ at: signedAt });
    expect(result({ ...trust, timestampAuthorities: [] })).toMatchObject({ at: signedAt });
    expect(result(trust, "log-and-timestamp")).toMatchObject({ code: "TIMESTAMP" });
    expect(result({ ...trust, timestampAuthorities: [] }, "log-and-timestamp")).toMatchObject({
      code: "NO_TRUST",
    });
  });

  test("of a bundle is ignored beside a required one by a trusted authority", () => {
    const parts = bundleParts(world, "attestation");
    const stampBy = (by: Authorities) => by.timestamp(parts.envelope.signature, signedAt);
    const result = (...timestamps: readonly Buffer[]) =>
      verifyBundle(writeBundle({ ...parts, timestamps }), image, "attestation", {
        ...rulesOf(world, { trust }),
        time: "log-and-timestamp",
      });
    expect(result(stampBy(stranger), stampBy(world))).toMatchObject({ at: signedAt });
    expect(result(stampBy(world), stampBy(stranger))).toMatchObject({ at: signedAt });
    expect(result(stampBy(stranger))).toMatchObject({ code: "TIMESTAMP" });
  });

  test("is not accepted in place of the log", () => {
    const layer = signature(world, { stampedAt: signedAt, entry: () => undefined });
    expect(verifySignatureLayer(layer, image, rulesOf(world, { trust }))).toMatchObject({
      code: "TRANSPARENCY_LOG",
    });
  });

  test.each<[string, Buffer]>([
    ["malformed", Buffer.from("300300", "hex")],
    ["for something else", world.timestamp(Buffer.from("other"))],
    ["for something else, of an authority that is not trusted", stranger.timestamp(bytes)],
  ])("refuses the signature if it is %s", (_, stamp) => {
    expect(check(stamp)).toMatchObject({ code: "TIMESTAMP" });
    expect(check(stamp, { ...trust, timestampAuthorities: [] })).toMatchObject({
      code: "TIMESTAMP",
    });
  });
});
