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
import { toPem } from "../../../core/signing/sigstore/der/der-element";
import { writeFileAtomically } from "../../../core/process/files";
import { ifAbsent } from "../../../core/process/system-error";

/** The P-256 key of a service. */
export class SigningKey {
  readonly spki: Buffer;
  /** SHA-256 of `spki`: the log ID in RFC 6962, and of the transparency log. */
  readonly id: Buffer;

  constructor(readonly privateKey: KeyObject) {
    this.spki = createPublicKey(privateKey).export({ type: "spki", format: "der" });
    this.id = createHash("sha256").update(this.spki).digest();
  }

  static generate(): SigningKey {
    return new SigningKey(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey);
  }

  /** Reads the key from a file. Creates it if the file does not exist. */
  static async open(file: string): Promise<SigningKey> {
    return new SigningKey(await openPrivateKey(file, () => SigningKey.generate().privateKey));
  }

  get publicKeyPem(): string {
    return toPem("PUBLIC KEY", this.spki);
  }

  /** Signs with ECDSA and SHA-256; the signature is in DER. */
  sign(data: Uint8Array): Buffer {
    return sign("sha256", data, this.privateKey);
  }

  /** As above, with the signature in the format of JSON Web Signatures. */
  signFixedSize(data: Uint8Array): Buffer {
    return sign("sha256", data, { key: this.privateKey, dsaEncoding: "ieee-p1363" });
  }
}

/**
 * The Ed25519 key with which a log signs notes, such as checkpoints.
 *
 * @see https://github.com/C2SP/C2SP/blob/main/signed-note.md
 */
export class NoteKey {
  readonly spki: Buffer;
  /** The ID of the key: SHA-256 of the origin, a line break, the type of the signature, and the key. */
  readonly id: Buffer;
  readonly #privateKey: KeyObject;

  /** @param origin the name of the log */
  constructor(
    readonly origin: string,
    privateKey: KeyObject,
  ) {
    this.#privateKey = privateKey;
    this.spki = createPublicKey(privateKey).export({ type: "spki", format: "der" });
    const [name, type, key] = [Buffer.from(`${origin}\n`), Buffer.of(1), this.spki.subarray(12)];
    this.id = createHash("sha256").update(name).update(type).update(key).digest();
  }

  static generate(origin: string): NoteKey {
    return new NoteKey(origin, generateKeyPairSync("ed25519").privateKey);
  }

  static async open(file: string, origin: string): Promise<NoteKey> {
    const generate = () => generateKeyPairSync("ed25519").privateKey;
    return new NoteKey(origin, await openPrivateKey(file, generate));
  }

  /** Signs the text of a note, which ends with a line break, and returns the whole note. */
  sign(text: string): string {
    const signature = sign(null, Buffer.from(text), this.#privateKey);
    const bytes = Buffer.concat([this.id.subarray(0, 4), signature]);
    return `${text}\n\u2014 ${this.origin} ${bytes.toString("base64")}\n`;
  }
}

async function openPrivateKey(file: string, generate: () => KeyObject): Promise<KeyObject> {
  const saved = await readFile(file, "utf8").catch(ifAbsent);
  if (saved !== undefined) return createPrivateKey(saved);
  const key = generate();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const pem = key.export({ type: "pkcs8", format: "pem" });
  await writeFileAtomically(file, pem, { mode: 0o600 });
  return key;
}
