import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  sign,
  type KeyObject,
} from "node:crypto";
import { openPrivateKey } from "./signing-key";

/**
 * The Ed25519 key with which a log signs notes, such as checkpoints.
 *
 * @see https://github.com/C2SP/C2SP/blob/main/signed-note.md
 */
export class NoteKey {
  /** The public key as SubjectPublicKeyInfo. */
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
    return new NoteKey(origin, newKey());
  }

  /** Reads the key from a file. Creates it if the file does not exist. */
  static async open(file: string, origin: string): Promise<NoteKey> {
    return new NoteKey(origin, await openPrivateKey(file, newKey));
  }

  /** Signs the text of a note, which ends with a line break, and returns the whole note. */
  sign(text: string): string {
    const signature = sign(null, Buffer.from(text), this.#privateKey);
    const bytes = Buffer.concat([this.id.subarray(0, 4), signature]);
    return `${text}\n\u2014 ${this.origin} ${bytes.toString("base64")}\n`;
  }
}

function newKey(): KeyObject {
  return generateKeyPairSync("ed25519").privateKey;
}
