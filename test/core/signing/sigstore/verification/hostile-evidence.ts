import { randomBytes } from "node:crypto";
import {
  derBitString,
  derContext,
  derContextPrimitive,
  derInteger,
  derNull,
  derObjectIdentifier,
  derSequence,
  derUnsigned,
} from "../../../../../src/core/signing/sigstore/der/write-der";
import { toPem } from "../../../../../src/core/signing/sigstore/der/der-element";
import {
  annotation,
  type LegacyLayer,
  simpleSigningPayload,
} from "../../../../../src/core/signing/sigstore/format/manifest";
import { writeBundle } from "../../../../../src/core/signing/sigstore/format/bundle";
import type { Digest } from "../../../../../src/core/signing/oci/reference/descriptor";
import { SigningKey } from "../../../../../src/local/signing/keys/signing-key";
import {
  writeName,
  authorityExtension,
  keyUsageExtension,
  purposeExtension,
  writeExtension,
} from "../../../../../src/local/signing/certificate/write-certificate";
import { bundleParts, repository, signature, type ArtefactProps } from "./artefacts";
import { serialOf, signedAt, type Authorities, type Signer } from "./authorities";

/** Evidence that would take very long to verify, if it were verified as it comes. */
export interface HostileEvidence {
  readonly name: string;
  /** How the refusal explains itself. */
  readonly problem: RegExp;
  readonly make: (
    digest: Digest,
    dockerReference?: string,
  ) => { readonly layer: LegacyLayer } | { readonly bundle: Buffer };
}

const key = SigningKey.generate();
const [a, b] = [writeName("test", "a"), writeName("test", "b")];

/**
 * Certificates of one key that issue each other, in an order that is a chain, the last one self-issued. Each
 * of them could have issued half of the others.
 */
function crossingCertificates(
  world: Authorities,
  count: number,
  more: readonly Buffer[] = [],
): readonly Buffer[] {
  return Array.from({ length: count }, (_, index) => {
    const [issuer, subject] = index % 2 === 0 ? [b, a] : [a, b];
    const isLast = index === count - 1;
    return world.authority(isLast ? subject : issuer, subject, key, key, [
      authorityExtension(),
      keyUsageExtension("keyCertSign"),
      ...more,
    ]);
  });
}

const pemOf = (certificates: readonly Buffer[]): string =>
  certificates.map((der) => toPem("CERTIFICATE", der)).join("");

const rsaKey = (modulusBytes: number, exponent: Buffer): Buffer => {
  const modulus = Buffer.concat([Buffer.of(0xff), randomBytes(modulusBytes - 2), Buffer.of(1)]);
  return derSequence(
    derSequence(derObjectIdentifier("1.2.840.113549.1.1.1"), derNull()),
    derBitString(derSequence(derUnsigned(modulus), derUnsigned(exponent))),
  );
};

/** P-256, spelled out as somebody's own curve. */
const explicitCurveKey = (): Buffer => {
  const field = derSequence(derObjectIdentifier("1.2.840.10045.1.1"), derUnsigned(randomBytes(32)));
  const parameters = derSequence(derInteger(1), field);
  const algorithm = derSequence(derObjectIdentifier("1.2.840.10045.2.1"), parameters);
  return derSequence(algorithm, derBitString(randomBytes(65)));
};

const mails = (count: number, isCritical = true): Buffer =>
  writeExtension(
    "2.5.29.17",
    derSequence(
      ...Array.from({ length: count }, (_, index) =>
        derContextPrimitive(1, Buffer.from(`dev${index}@example.com`)),
      ),
    ),
    isCritical,
  );

const constraints = (count: number): Buffer =>
  writeExtension(
    "2.5.29.30",
    derSequence(
      derContext(
        1,
        ...Array.from({ length: count }, (_, index) =>
          derSequence(derContextPrimitive(1, Buffer.from(`${index}.example.org`))),
        ),
      ),
    ),
  );

export function hostileEvidence(world: Authorities): readonly HostileEvidence[] {
  const layerBy = (signer: Signer, digest: Digest, dockerReference = repository): LegacyLayer =>
    signature(world, { signer, payload: simpleSigningPayload({ dockerReference, digest }) });
  const signedBy =
    (props: Parameters<Authorities["signer"]>[0]) =>
    (digest: Digest, dockerReference?: string) => ({
      layer: layerBy(world.signer(props), digest, dockerReference),
    });
  const withChain = (chain: readonly Buffer[]) => (digest: Digest, dockerReference?: string) => {
    const signer = world.signer({ issuedBy: { name: a, key } });
    const { annotations, ...layer } = layerBy(signer, digest, dockerReference);
    return {
      layer: { ...layer, annotations: { ...annotations, [annotation.chain]: pemOf(chain) } },
    };
  };
  const stampedBy = (presented: readonly Buffer[]) => (digest: Digest) => {
    const certificate = world.authority(a, writeName("test", "stamp"), key, key, [
      keyUsageExtension("digitalSignature"),
      purposeExtension("timeStamping", true),
    ]);
    const bundle = stamped(digest, (bytes) => [
      world.timestamp(bytes, signedAt, {
        key,
        certificate,
        issuer: a,
        serial: serialOf(certificate),
        presented: [certificate, ...presented],
      }),
    ]);
    return { bundle };
  };
  const stamped = (digest: Digest, stamps: (signature: Buffer) => readonly Buffer[]): Buffer => {
    const parts = bundleParts(world, "signature", { digest });
    return writeBundle({ ...parts, timestamps: stamps(parts.envelope.signature) });
  };
  const logged = (entry: NonNullable<ArtefactProps["entry"]>) => (digest: Digest) => ({
    bundle: writeBundle(bundleParts(world, "signature", { digest, entry })),
  });
  const repeated = <T>(count: number, value: T): readonly T[] =>
    Array.from({ length: count }, () => value);
  return [
    {
      name: "21 certificates that issue each other",
      problem: /comes with 21 certificates, more than the maximum of 10/,
      make: withChain(crossingCertificates(world, 21)),
    },
    {
      name: "as many certificates as are allowed that issue each other",
      problem: /too many of the certificates could have issued each other|no chain/,
      make: withChain(crossingCertificates(world, 10)),
    },
    {
      name: "a timestamp with 22 certificates that issue each other",
      problem: /comes with 22 certificates, more than the maximum of 10/,
      make: stampedBy(crossingCertificates(world, 21)),
    },
    {
      name: "a timestamp with as many certificates as are allowed that issue each other",
      problem: /too many of the certificates could have issued each other|no chain/,
      make: stampedBy(crossingCertificates(world, 9)),
    },
    {
      name: "certificates that issue each other, with 500 names and as many constraints",
      problem: /the name constraints of a certificate authority are too many to compare/,
      make: withChain(crossingCertificates(world, 10, [mails(500, false), constraints(500)])),
    },
    {
      name: "a presented certificate whose key has a huge exponent",
      problem: /public key is not supported \(supported: .*RSA with 2048 to 8192 bits\)/,
      make: withChain([
        world.authority(...([b, a, { spki: rsaKey(2048, randomBytes(2047)) }, key] as const), [
          authorityExtension(),
          keyUsageExtension("keyCertSign"),
        ]),
      ]),
    },
    {
      name: "a signer's key with a huge modulus",
      problem: /public key is not supported/,
      make: signedBy({ spki: rsaKey(2048, Buffer.from("010001", "hex")) }),
    },
    {
      name: "a signer's key with a huge exponent",
      problem: /public key is not supported/,
      make: signedBy({ spki: rsaKey(256, randomBytes(255)) }),
    },
    {
      name: "a signer's key on a curve of its own",
      problem: /public key is not supported/,
      make: signedBy({ spki: explicitCurveKey() }),
    },
    {
      name: "a certificate with 200 SCTs",
      problem: /more than 10 SCTs/,
      make: signedBy({ scts: 200 }),
    },
    {
      name: "a certificate with 500 names",
      problem: /has 500 names, more than the maximum of 10/,
      make: signedBy({ names: [mails(500)] }),
    },
    {
      name: "a certificate of 100 kB",
      problem: /more than the maximum of 32768/,
      make: signedBy({ more: [writeExtension("1.2.3.4", Buffer.alloc(100_000))] }),
    },
    {
      name: "a bundle with 50 timestamps",
      problem: /has 50 timestamps, more than the maximum of 5/,
      make: (digest) => ({
        bundle: stamped(digest, (bytes) => repeated(50, world.timestamp(bytes))),
      }),
    },
    {
      name: "a bundle with 1,000 timestamps",
      problem: /has 1000 items, more than the maximum of 64/,
      make: (digest) => ({ bundle: stamped(digest, () => repeated(1000, Buffer.of(1))) }),
    },
    {
      name: "a bundle with 10,000 timestamps",
      problem: /more than 10000 values/,
      make: (digest) => ({ bundle: stamped(digest, () => repeated(10_000, Buffer.of(1))) }),
    },
    {
      name: "a bundle with 100 log entries",
      problem: /has 100 items, more than the maximum of 8/,
      make: (digest) => {
        const parts = bundleParts(world, "signature", { digest });
        const [entry] = parts.logEntries;
        if (entry === undefined) throw new Error("no entry");
        const logEntries = repeated(100, entry);
        return {
          bundle: writeBundle({
            ...parts,
            logEntries,
          }),
        };
      },
    },
    {
      name: "a checkpoint with 20,000 signatures",
      problem: /checkpoint has 20001 signatures, more than the maximum of 100/,
      make: logged((entry) => withCheckpoint(entry, 20_000)),
    },
    {
      name: "a proof with 1,000 hashes",
      problem: /hashes has 1000 items, more than the maximum of 64/,
      make: logged((entry) => withHashes(entry, 1000)),
    },
    {
      name: "a proof with 100,000 hashes",
      problem: /more than 10000 values/,
      make: logged((entry) => withHashes(entry, 100_000)),
    },
  ];

  function withHashes(entry: Parameters<NonNullable<ArtefactProps["entry"]>>[0], count: number) {
    const { inclusionProof } = entry;
    if (inclusionProof === undefined) return entry;
    const hashes = repeated(count, randomBytes(32));
    return { ...entry, inclusionProof: { ...inclusionProof, hashes } };
  }

  function withCheckpoint(
    entry: Parameters<NonNullable<ArtefactProps["entry"]>>[0],
    count: number,
  ) {
    const { inclusionProof } = entry;
    if (inclusionProof === undefined) return entry;
    const wrong = Buffer.concat([world.logKey.id.subarray(0, 4), key.sign(randomBytes(8))]);
    const [note = "", signatures = ""] = inclusionProof.checkpoint.split("\n\n");
    const line = `— log.example.com ${wrong.toString("base64")}\n`;
    const checkpoint = `${note}\n\n${line.repeat(count)}${signatures}`;
    return { ...entry, inclusionProof: { ...inclusionProof, checkpoint } };
  }
}
