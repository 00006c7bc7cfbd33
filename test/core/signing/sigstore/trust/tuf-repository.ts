import { createHash, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { canonicalJson } from "../../../../../src/core/json/exact-json";

const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");

/** A key that signs metadata. */
export class TufKey {
  readonly #pair = generateKeyPairSync("ed25519");

  get json() {
    const spki = this.#pair.publicKey.export({ format: "der", type: "spki" });
    const keyval = { public: spki.subarray(-32).toString("hex") };
    return { keytype: "ed25519", scheme: "ed25519", keyval };
  }

  get id(): string {
    return sha256(canonicalJson(this.json));
  }

  get privateKey(): KeyObject {
    return this.#pair.privateKey;
  }
}

interface TufState {
  readonly targets: Readonly<Record<string, string>>;
  readonly version: number;
  /** When the timestamp expires. */
  readonly expires: Date;
  /** Signs everything but the root. */
  readonly key: TufKey;
}

const far = "2100-01-01T00:00:00Z";
const iso = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`;

/**
 * A repository of The Update Framework with one key for the root, and one for the rest.
 *
 * @see https://theupdateframework.github.io/specification/latest/
 */
export class TufRepository {
  readonly rootKey = new TufKey();
  readonly key = new TufKey();
  readonly files = new Map<string, Buffer>();
  readonly root: Buffer;

  constructor() {
    const role = (key: TufKey) => ({ keyids: [key.id], threshold: 1 });
    this.root = this.#signed(this.rootKey, {
      _type: "root",
      spec_version: "1.0.31",
      version: 1,
      expires: far,
      consistent_snapshot: true,
      keys: { [this.rootKey.id]: this.rootKey.json, [this.key.id]: this.key.json },
      roles: {
        root: role(this.rootKey),
        timestamp: role(this.key),
        snapshot: role(this.key),
        targets: role(this.key),
      },
    });
  }

  /** Publishes targets, in place of earlier ones. */
  publish(state: Partial<TufState> & Pick<TufState, "targets">): void {
    const { targets, version = 1, expires = new Date("2100-01-01"), key = this.key } = state;
    this.files.clear();
    this.files.set("1.root.json", this.root);
    const described = Object.entries(targets).map(([name, text]) => {
      const hash = sha256(text);
      this.files.set(`targets/${hash}.${name}`, Buffer.from(text));
      return [name, { length: Buffer.byteLength(text), hashes: { sha256: hash } }] as const;
    });
    const common = { spec_version: "1.0.31", version, expires: far };
    const list = this.#signed(key, {
      ...common,
      _type: "targets",
      targets: Object.fromEntries(described),
    });
    const snapshot = this.#signed(key, {
      ...common,
      _type: "snapshot",
      meta: { "targets.json": { version } },
    });
    const timestamp = this.#signed(key, {
      ...common,
      _type: "timestamp",
      expires: iso(expires),
      meta: { "snapshot.json": { version } },
    });
    this.files.set(`${version}.targets.json`, list);
    this.files.set(`${version}.snapshot.json`, snapshot);
    this.files.set("timestamp.json", timestamp);
  }

  #signed(key: TufKey, signed: object): Buffer {
    const sig = sign(null, Buffer.from(canonicalJson(signed)), key.privateKey).toString("hex");
    return Buffer.from(JSON.stringify({ signatures: [{ keyid: key.id, sig }], signed }));
  }
}
