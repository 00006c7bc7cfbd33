import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parsedJson } from "../../../core/json/plain-json";
import { readTextField } from "../../service/request";
import { localServiceError } from "../../service/service";
import { writeFileAtomically } from "../../../core/process/files";
import { ifAbsent } from "../../../core/process/system-error";
import { fromPem, toPem } from "../../../core/signing/sigstore/der/der-element";
import { SigningKey } from "../keys/signing-key";
import {
  authorityExtension,
  authorityKeyExtension,
  keyUsageExtension,
  purposeExtension,
  subjectKeyExtension,
  writeCertificate,
  writeName,
} from "./write-certificate";

/** A root certificate, and a certificate that it issued, whose key signs for a service. */
export interface AuthorityChain {
  readonly key: SigningKey;
  /** The subject of the service's certificate, in DER. */
  readonly subject: Buffer;
  readonly issuer: Buffer;
  readonly serial: Buffer;
  /** In DER, the service's certificate first. */
  readonly certificates: readonly [Buffer, Buffer];
  /** The same in PEM. */
  readonly pem: string;
  readonly notBefore: Date;
}

const authorities = {
  codeSigning: { file: "certificate-authority", name: "local certificate authority" },
  timeStamping: { file: "timestamp-authority", name: "local timestamp authority" },
} as const;

type AuthorityPurpose = keyof typeof authorities;

const dayMs = 24 * 60 * 60 * 1000;
const organization = "trivet.local";

/**
 * Reads the certificate chain of a service from a folder, or creates it with a key and a root. The root's key is not
 * stored: it signs nothing else.
 */
export async function openAuthorityChain(
  folder: string,
  purpose: AuthorityPurpose,
  now: Date,
): Promise<AuthorityChain> {
  const authority = authorities[purpose];
  const key = await SigningKey.open(join(folder, "keys", `${authority.file}.pem`));
  const names = {
    subject: writeName(organization, authority.name),
    issuer: writeName(organization, `${authority.name} root`),
  };
  const file = join(folder, "keys", `${authority.file}.chain.json`);
  let saved = await readChain(file);
  if (saved === undefined) {
    saved = makeChain(key, names, purpose, now);
    const serial = saved.serial.toString("hex");
    const text = { serial, notBefore: saved.notBefore, chain: pemOf(saved) };
    await writeFileAtomically(file, `${JSON.stringify(text, null, 2)}\n`);
  }
  return { key, ...names, ...saved, pem: pemOf(saved) };
}

type SavedChain = Pick<AuthorityChain, "serial" | "certificates" | "notBefore">;

function makeChain(
  key: SigningKey,
  { subject, issuer }: Pick<AuthorityChain, "subject" | "issuer">,
  purpose: AuthorityPurpose,
  now: Date,
): SavedChain {
  const isIssuer = purpose === "codeSigning";
  const rootKey = SigningKey.generate();
  const notBefore = new Date(Math.floor(now.getTime() / 1000) * 1000 - dayMs);
  const common = { issuer, notBefore, notAfter: new Date(notBefore.getTime() + 3650 * dayMs) };
  const root = {
    ...common,
    serial: newSerial(),
    subject: issuer,
    spki: rootKey.spki,
    extensions: [
      authorityExtension(isIssuer ? 1 : 0),
      keyUsageExtension("keyCertSign", "cRLSign"),
      subjectKeyExtension(rootKey.spki),
    ],
  };
  const serial = newSerial();
  const lower = {
    ...common,
    serial,
    subject,
    spki: key.spki,
    extensions: [
      ...(isIssuer
        ? [authorityExtension(0), keyUsageExtension("keyCertSign", "cRLSign")]
        : [keyUsageExtension("digitalSignature")]),
      // RFC 3161 requires this to be the only purpose of a timestamp authority, and critical.
      purposeExtension(purpose, !isIssuer),
      subjectKeyExtension(key.spki),
      authorityKeyExtension(rootKey.spki),
    ],
  };
  const certificates = [writeCertificate(lower, rootKey), writeCertificate(root, rootKey)] as const;
  return { serial, certificates, notBefore };
}

async function readChain(file: string): Promise<SavedChain | undefined> {
  const text = await readFile(file, "utf8").catch(ifAbsent);
  if (text === undefined) return undefined;
  const value = parsedJson(text);
  const [lower, root] = fromPem("CERTIFICATE", readTextField(value, "chain"));
  const notBefore = new Date(readTextField(value, "notBefore"));
  if (lower === undefined || root === undefined || Number.isNaN(notBefore.getTime())) {
    throw localServiceError("FILE", `${file} was not written by the local services.`, {
      advice: "Choose another --folder, or move this one away to get new keys.",
    });
  }
  const serial = Buffer.from(readTextField(value, "serial"), "hex");
  return { serial, certificates: [lower, root], notBefore };
}

function pemOf({ certificates }: SavedChain): string {
  return certificates.map((der) => toPem("CERTIFICATE", der)).join("");
}

/** A random serial number: positive, and long enough to be unique. */
export function newSerial(): Buffer {
  const serial = randomBytes(20);
  serial.writeUInt8((serial.readUInt8(0) & 0x3f) | 0x40, 0);
  return serial;
}
