import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  type KeyObject,
} from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { toPem } from "../../sigstore/der/pem";
import { writeFileAtomically } from "../../../process/atomic-file";
import { hasCode } from "../../../process/system-error";

/** A P-256 key of one of the services. */
export class SigningKey {
  /** The public key as SubjectPublicKeyInfo. */
  readonly spki: Buffer;
  /** SHA-256 of `spki`: the log id of RFC 6962, and that of the transparency log. */
  readonly id: Buffer;

  constructor(readonly privateKey: KeyObject) {
    this.spki = createPublicKey(privateKey).export({ type: "spki", format: "der" });
    this.id = createHash("sha256").update(this.spki).digest();
  }

  static generate(): SigningKey {
    return new SigningKey(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey);
  }

  /** Reads the key in a file; makes it first when there is none. */
  static async open(file: string): Promise<SigningKey> {
    try {
      return new SigningKey(createPrivateKey(await readFile(file, "utf8")));
    } catch (failure) {
      if (!hasCode(failure, "ENOENT")) throw failure;
    }
    const key = SigningKey.generate();
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const pem = key.privateKey.export({ type: "pkcs8", format: "pem" });
    await writeFileAtomically(file, pem, { mode: 0o600 });
    return key;
  }

  get publicKeyPem(): string {
    return toPem("PUBLIC KEY", this.spki);
  }

  /** ECDSA with SHA-256, in DER. */
  sign(data: Uint8Array): Buffer {
    return sign("sha256", data, this.privateKey);
  }

  /** The same, in the form of JSON web signatures. */
  signFixedSize(data: Uint8Array): Buffer {
    return sign("sha256", data, { key: this.privateKey, dsaEncoding: "ieee-p1363" });
  }
}
