import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fromPem, toPem } from "../../sigstore/der/pem";
import { writeFileAtomically } from "../../../process/atomic-file";
import { hasCode } from "../../../process/system-error";
import { SigningKey } from "../keys/signing-key";
import { writeCertificate, writeName } from "./write-certificate";
import {
  authorityExtension,
  authorityKeyExtension,
  keyUsageExtension,
  purposeExtension,
  subjectKeyExtension,
} from "./write-extension";
import { parsedJson } from "../../../json/plain-json";

/** A root certificate, and a certificate that it issued, whose key signs for a service. */
export interface AuthorityChain {
  readonly key: SigningKey;
  /** The subject of the service's certificate, in DER. */
  readonly subject: Buffer;
  /** The root's name. */
  readonly issuer: Buffer;
  readonly serial: Buffer;
  /** In DER, the service's certificate first. */
  readonly certificates: readonly [Buffer, Buffer];
  /** The same in PEM. */
  readonly pem: string;
  readonly notBefore: Date;
}

/** What the service's certificate is for. */
type AuthorityPurpose = "codeSigning" | "timeStamping";

const dayMs = 24 * 60 * 60 * 1000;
const organization = "trivet.local";

/**
 * Reads the certificate chain of a service from a folder. If it does not exist, creates it with a key and a
 * root. The root's key is not stored, because it signs nothing else.
 */
export async function openAuthorityChain(
  folder: string,
  purpose: AuthorityPurpose,
  now: Date,
): Promise<AuthorityChain> {
  const isIssuer = purpose === "codeSigning";
  const name = isIssuer ? "certificate-authority" : "timestamp-authority";
  const key = await SigningKey.open(join(folder, "keys", `${name}.pem`));
  const file = join(folder, "keys", `${name}.chain.json`);
  const saved = (await readChain(file)) ?? (await makeChain(file, key, purpose, now));
  return {
    key,
    subject: subjectOf(purpose),
    issuer: rootNameOf(purpose),
    serial: saved.serial,
    certificates: saved.certificates,
    pem: saved.certificates.map((der) => toPem("CERTIFICATE", der)).join(""),
    notBefore: saved.notBefore,
  };
}

type SavedChain = Pick<AuthorityChain, "serial" | "certificates" | "notBefore">;

async function makeChain(
  file: string,
  key: SigningKey,
  purpose: AuthorityPurpose,
  now: Date,
): Promise<SavedChain> {
  const rootKey = SigningKey.generate();
  const notBefore = new Date(Math.floor(now.getTime() / 1000) * 1000 - dayMs);
  const rootName = rootNameOf(purpose);
  const common = { notBefore, notAfter: new Date(notBefore.getTime() + 3650 * dayMs) };
  const root = {
    ...common,
    serial: newSerial(),
    issuer: rootName,
    subject: rootName,
    spki: rootKey.spki,
    extensions: [
      authorityExtension(purpose === "codeSigning" ? 1 : 0),
      keyUsageExtension("keyCertSign", "cRLSign"),
      subjectKeyExtension(rootKey.spki),
    ],
  };
  const isIssuer = purpose === "codeSigning";
  const lower = {
    ...common,
    serial: newSerial(),
    issuer: rootName,
    subject: subjectOf(purpose),
    spki: key.spki,
    extensions: [
      ...(isIssuer ? [authorityExtension(0)] : []),
      isIssuer
        ? keyUsageExtension("keyCertSign", "cRLSign")
        : keyUsageExtension("digitalSignature"),
      // RFC 3161 requires this to be the only purpose of a timestamp authority, and critical.
      purposeExtension(purpose, !isIssuer),
      subjectKeyExtension(key.spki),
      authorityKeyExtension(rootKey.spki),
    ],
  };
  const certificates = [writeCertificate(lower, rootKey), writeCertificate(root, rootKey)] as const;
  const text = {
    serial: lower.serial.toString("hex"),
    notBefore: notBefore.toISOString(),
    chain: certificates.map((der) => toPem("CERTIFICATE", der)).join(""),
  };
  await writeFileAtomically(file, `${JSON.stringify(text, null, 2)}\n`);
  return { serial: lower.serial, certificates: [...certificates], notBefore };
}

async function readChain(file: string): Promise<SavedChain | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (failure) {
    if (hasCode(failure, "ENOENT")) return undefined;
    throw failure;
  }
  const value = parsedJson(text);
  const field = (name: string): string =>
    typeof value === "object" && value !== null ? String(Reflect.get(value, name)) : "";
  const [lower, root] = fromPem("CERTIFICATE", field("chain"));
  const notBefore = new Date(field("notBefore"));
  if (lower === undefined || root === undefined || Number.isNaN(notBefore.getTime())) {
    throw new Error(`${file} was not written by the local services; move or remove its folder`);
  }
  return { serial: Buffer.from(field("serial"), "hex"), certificates: [lower, root], notBefore };
}

function subjectOf(purpose: AuthorityPurpose): Buffer {
  return writeName(organization, labelOf(purpose));
}

function rootNameOf(purpose: AuthorityPurpose): Buffer {
  return writeName(organization, `${labelOf(purpose)} root`);
}

function labelOf(purpose: AuthorityPurpose): string {
  return purpose === "codeSigning" ? "local certificate authority" : "local timestamp authority";
}

/** A random serial number: positive, and long enough to be unique. */
export function newSerial(): Buffer {
  const serial = randomBytes(20);
  serial.writeUInt8((serial.readUInt8(0) & 0x3f) | 0x40, 0);
  return serial;
}
