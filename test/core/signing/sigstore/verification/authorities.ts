import { X509Certificate, createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import { toPem } from "../../../../../src/core/signing/sigstore/der/der-element";
import type { LogEntry } from "../../../../../src/core/signing/sigstore/format/log-entry";
import { canonicalJson } from "../../../../../src/core/json/exact-json";
import { readTrustedRoot } from "../../../../../src/core/signing/sigstore/trust/trusted-root";
import {
  writeCertificate,
  writeCertificateBody,
  writeName,
  alternativeNameExtension,
  authorityExtension,
  issuerExtensions,
  keyUsageExtension,
  purposeExtension,
  sctExtension,
  uint16,
} from "../../../../../src/local/signing/certificate/write-certificate";
import { SigningKey } from "../../../../../src/local/signing/keys/signing-key";
import { MerkleTree, leafHash } from "../../../../../src/local/signing/merkle/merkle-tree";
import { writeStamp, type StampProps } from "./stamp";

export const signedAt = new Date("2026-03-01T12:00:00Z");
export const issuer = "https://accounts.example.com";
export const email = "dev@example.com";

const minutes = (count: number): Date => new Date(signedAt.getTime() + count * 60_000);
const years = (count: number): Date => minutes(count * 365 * 24 * 60);

/** What may be unlike in a signer's certificate. */
export interface LeafProps {
  readonly names?: readonly Uint8Array[];
  readonly usage?: readonly Uint8Array[];
  readonly issuerExtensions?: readonly Uint8Array[];
  readonly more?: readonly Uint8Array[];
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  readonly withoutSct?: boolean;
  readonly sctKey?: SigningKey;
  readonly scts?: number;
  /** Another log, whose SCT is beside the others. */
  readonly secondSctKey?: SigningKey;
  /** The extension for an SCT. @default as in RFC 6962 */
  readonly sctsWith?: (sct: Buffer) => Buffer;
  /** Whose certificate it is, unless the world's. */
  readonly issuedBy?: { readonly name: Buffer; readonly key: SigningKey };
  /** Another public key than one that signs. */
  readonly spki?: Buffer;
}

export interface Signer {
  readonly key: SigningKey;
  readonly der: Buffer;
  readonly pem: string;
}

const chainOf = (certificates: readonly Buffer[]) => ({
  certificates: certificates.map((der) => ({ rawBytes: der.toString("base64") })),
});

/** A certificate authority, logs and a timestamp authority in memory, with arbitrary certificates. */
export class Authorities {
  readonly rootKey = SigningKey.generate();
  readonly issuingKey = SigningKey.generate();
  readonly certificateLogKey = SigningKey.generate();
  readonly logKey = SigningKey.generate();
  readonly stampKey = SigningKey.generate();
  readonly root: Buffer;
  readonly issuing: Buffer;
  readonly stampRoot: Buffer;
  readonly stamp: Buffer;
  readonly #tree = new MerkleTree();
  readonly #rootName = writeName("test", "root");
  readonly #issuingName = writeName("test", "issuing");

  constructor() {
    this.root = this.authority(this.#rootName, this.#rootName, this.rootKey, this.rootKey, [
      authorityExtension(1),
      keyUsageExtension("keyCertSign", "cRLSign"),
    ]);
    this.issuing = this.authority(
      this.#rootName,
      this.#issuingName,
      this.issuingKey,
      this.rootKey,
      [
        authorityExtension(0),
        keyUsageExtension("keyCertSign", "cRLSign"),
        purposeExtension("codeSigning"),
      ],
    );
    const stampRootName = writeName("test", "stamp root");
    this.stampRoot = this.authority(stampRootName, stampRootName, this.rootKey, this.rootKey, [
      authorityExtension(0),
      keyUsageExtension("keyCertSign"),
    ]);
    this.stamp = this.authority(
      stampRootName,
      writeName("test", "stamp"),
      this.stampKey,
      this.rootKey,
      [keyUsageExtension("digitalSignature"), purposeExtension("timeStamping", true)],
    );
    // Others before, so that there is something to prove.
    for (let index = 0; index < 5; index += 1) this.#tree.append(leafHash(randomBytes(8)));
  }

  authority(
    issuerName: Buffer,
    subject: Buffer,
    key: Pick<SigningKey, "spki">,
    issuerKey: SigningKey,
    extensions: readonly Buffer[],
  ): Buffer {
    return writeCertificate(
      {
        serial: randomBytes(8),
        issuer: issuerName,
        subject,
        spki: key.spki,
        extensions,
        notBefore: years(-1),
        notAfter: years(9),
      },
      issuerKey,
    );
  }

  get chainPem(): string {
    return [this.issuing, this.root].map((der) => toPem("CERTIFICATE", der)).join("");
  }

  signer(props: LeafProps = {}): Signer {
    const key = SigningKey.generate();
    const extensions = [
      ...(props.usage ?? [keyUsageExtension("digitalSignature"), purposeExtension("codeSigning")]),
      ...(props.names ?? [alternativeNameExtension("email", email)]),
      ...(props.issuerExtensions ?? issuerExtensions(issuer)),
      ...(props.more ?? []),
    ];
    const body = {
      serial: randomBytes(8),
      issuer: props.issuedBy?.name ?? this.#issuingName,
      subject: writeName(),
      notBefore: props.notBefore ?? minutes(-1),
      notAfter: props.notAfter ?? minutes(9),
      spki: props.spki ?? key.spki,
      extensions,
    };
    const promised = (key: SigningKey): Buffer => this.promise(writeCertificateBody(body), key);
    const sct = promised(props.sctKey ?? this.certificateLogKey);
    const scts = Array.from({ length: props.scts ?? 1 }, () => sct);
    if (props.secondSctKey !== undefined) scts.push(promised(props.secondSctKey));
    const listed = props.sctsWith?.(sct) ?? sctExtension(scts);
    const all = props.withoutSct === true ? extensions : [...extensions, listed];
    const der = writeCertificate(
      { ...body, extensions: all },
      props.issuedBy?.key ?? this.issuingKey,
    );
    return { key, der, pem: toPem("CERTIFICATE", der) };
  }

  /** An SCT over a certificate's body. */
  promise(body: Buffer, key: SigningKey): Buffer {
    const time = Buffer.alloc(8);
    time.writeBigUInt64BE(BigInt(signedAt.getTime()));
    const size = Buffer.alloc(3);
    size.writeUIntBE(body.byteLength, 0, 3);
    const issuerHash = createHash("sha256").update(this.issuingKey.spki).digest();
    const signed = [Buffer.of(0, 0), time, uint16(1), issuerHash, size, body, uint16(0)];
    const signature = key.sign(Buffer.concat(signed));
    const tail = [Buffer.of(4, 3), uint16(signature.byteLength), signature];
    return Buffer.concat([Buffer.of(0), key.id, time, uint16(0), ...tail]);
  }

  /** Logs an entry, some others after it, and proves it. */
  log(body: Buffer, time: Pick<Date, "getTime"> = signedAt, key = this.logKey): LogEntry {
    const index = this.#tree.append(leafHash(body));
    for (let more = 0; more < 3; more += 1) this.#tree.append(leafHash(randomBytes(8)));
    const integratedTime = Math.floor(time.getTime() / 1000);
    const logIndex = 1000 + index;
    const promise = canonicalJson({
      body: body.toString("base64"),
      integratedTime,
      logIndex,
      logID: key.id.toString("hex"),
    });
    const treeSize = this.#tree.size;
    const rootHash = this.#tree.root();
    return {
      logId: key.id,
      logIndex,
      integratedTime,
      body,
      signedEntryTimestamp: key.sign(Buffer.from(promise)),
      inclusionProof: {
        logIndex: index,
        treeSize,
        rootHash,
        hashes: this.#tree.inclusionProof(index),
        checkpoint: this.checkpoint(treeSize, rootHash, key),
      },
    };
  }

  checkpoint(size: number, root: Buffer, key = this.logKey): string {
    const note = `log.example.com - 42\n${size}\n${root.toString("base64")}\n`;
    const signature = Buffer.concat([key.id.subarray(0, 4), key.sign(Buffer.from(note))]);
    return `${note}\n— log.example.com ${signature.toString("base64")}\n`;
  }

  /** An RFC 3161 answer over a signature. */
  timestamp(signature: Buffer, time = signedAt, changes: Partial<StampProps> = {}): Buffer {
    return writeStamp(signature, {
      time,
      key: this.stampKey,
      certificate: this.stamp,
      issuer: writeName("test", "stamp root"),
      serial: serialOf(this.stamp),
      ...changes,
    });
  }

  /** `trusted_root.json`, as a value that tests change. */
  trustedRoot() {
    const validFor = { start: years(-1).toISOString() };
    const log = (key: SigningKey, baseUrl: string) => ({
      baseUrl,
      hashAlgorithm: "SHA2_256",
      publicKey: {
        rawBytes: key.spki.toString("base64"),
        keyDetails: "PKIX_ECDSA_P256_SHA_256",
        validFor,
      },
      logId: { keyId: key.id.toString("base64") },
    });
    const subject = { organization: "test", commonName: "root" };
    return {
      mediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
      tlogs: [log(this.logKey, "https://log.example.com")],
      ctlogs: [log(this.certificateLogKey, "https://ct.example.com")],
      certificateAuthorities: [
        {
          subject,
          uri: "https://ca.example.com",
          validFor,
          certChain: chainOf([this.issuing, this.root]),
        },
      ],
      timestampAuthorities: [
        {
          subject,
          uri: "https://tsa.example.com",
          validFor,
          certChain: chainOf([this.stamp, this.stampRoot]),
        },
      ],
    };
  }

  trust() {
    return readTrustedRoot(JSON.stringify(this.trustedRoot()));
  }
}

/** The octets of a certificate's serial number, without the leading zero of DER. */
export function serialOf(der: Buffer): Buffer {
  return Buffer.from(new X509Certificate(der).serialNumber, "hex");
}

export function keyPair(kind: "ec" | "ec384" | "rsa" | "ed25519") {
  if (kind === "rsa") return generateKeyPairSync("rsa", { modulusLength: 2048 });
  if (kind === "ed25519") return generateKeyPairSync("ed25519");
  return generateKeyPairSync("ec", { namedCurve: kind === "ec" ? "P-256" : "P-384" });
}
