import { createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { canonicalJson } from "../../../core/json/exact-json";
import { answerBytes, answerJson, HttpFailure } from "../../service/answer";
import {
  parseJsonBody,
  readField,
  readTextField,
  routes,
  type Routes,
} from "../../service/request";
import type { Listener } from "../../service/service";
import type { NoteKey } from "../keys/signing-key";
import { type Journal, leafHash, MerkleTree } from "../merkle/merkle-tree";
import { uint16 } from "../certificate/write-certificate";
import { refused } from "./log-entry";
import { verifyDigest } from "./verify-digest";

/** The number of hashes in a full tile, and of entries in a full bundle. */
const tileWidth = 256;

/**
 * The transparency log of version 2: a tree of entries, which is read as tiles.
 *
 * @see https://github.com/C2SP/C2SP/blob/main/tlog-tiles.md
 */
export class TiledLog {
  readonly #tree = new MerkleTree();
  readonly #bodies: Buffer[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #journal: Journal;

  constructor(
    readonly key: NoteKey,
    journal: Journal,
  ) {
    this.#journal = journal;
    for (const line of journal.lines) this.#keep(Buffer.from(line, "base64"));
  }

  get size(): number {
    return this.#tree.size;
  }

  /** Adds an entry; resolves when it is written. An equal entry is not added again. */
  async add(body: Buffer): Promise<{ readonly index: number; readonly isNew: boolean }> {
    const known = this.#indexes.get(leafHash(body).toString("hex"));
    if (known !== undefined) return { index: known, isNew: false };
    const index = this.#keep(body);
    await this.#journal.append(body.toString("base64"));
    return { index, isNew: true };
  }

  /** An entry with its proof, as a `TransparencyLogEntry`. */
  entry(index: number): unknown {
    const logIndex = String(index);
    return {
      logIndex,
      logId: { keyId: this.key.id.toString("base64") },
      kindVersion: { kind: "hashedrekord", version: "0.0.2" },
      integratedTime: "0",
      inclusionPromise: null,
      inclusionProof: {
        logIndex,
        rootHash: this.#tree.root().toString("base64"),
        treeSize: String(this.#tree.size),
        hashes: this.#tree.inclusionProof(index).map((hash) => hash.toString("base64")),
        checkpoint: { envelope: this.checkpoint() },
      },
      canonicalizedBody: this.#bodies[index]?.toString("base64"),
    };
  }

  /** The size and the root of the tree, signed. */
  checkpoint(): string {
    const { size } = this.#tree;
    return this.key.sign(`${this.key.origin}\n${size}\n${this.#tree.root().toString("base64")}\n`);
  }

  /** The hashes of a tile; undefined if the tree has fewer. */
  tile(level: number, index: number, width = tileWidth): Buffer | undefined {
    const first = index * tileWidth;
    const nodes = Array.from({ length: width }, (_, at) => this.#tree.node(8 * level, first + at));
    const known = nodes.filter((node) => node !== undefined);
    return known.length === width ? Buffer.concat(known) : undefined;
  }

  /** The entries of a bundle, each after its length; undefined if the log has fewer. */
  entries(index: number, width = tileWidth): Buffer | undefined {
    const bodies = this.#bodies.slice(index * tileWidth, index * tileWidth + width);
    if (bodies.length < width) return undefined;
    return Buffer.concat(bodies.flatMap((body) => [uint16(body.byteLength), body]));
  }

  #keep(body: Buffer): number {
    const hash = leafHash(body);
    const index = this.#tree.append(hash);
    this.#bodies.push(body);
    this.#indexes.set(hash.toString("hex"), index);
    return index;
  }
}

// An entry contains a certificate, but no content.
const maxEntryBytes = 65_535;

/**
 * The HTTP API of Rekor, version 2: writing an entry, and reading tiles.
 *
 * @see https://github.com/sigstore/rekor-tiles/blob/main/api/proto/rekor/v2/rekor_service.proto
 */
export function tiledLogListener(log: TiledLog, print: (line: string) => void): Listener {
  const table: Routes = {
    "POST /api/v2/log/entries": async ({ request, response }) => {
      const body = acceptEntry(await parseJsonBody(request, maxEntryBytes));
      const { index, isNew } = await log.add(body);
      if (!isNew) {
        const problem = `an equivalent entry already exists in the transparency log with index ${index}`;
        throw new HttpFailure(409, problem, { "x-log-index": String(index) });
      }
      print(`logged an entry (version 2): ${index}`);
      answerJson(response, 201, log.entry(index));
    },
  };
  return routes("the transparency log", table, ({ request, response, path }) => {
    const found = request.method === "GET" ? read(log, path) : undefined;
    if (found === undefined) throw new HttpFailure(404, "the transparency log has no such path");
    answerBytes(response, 200, found, { "content-type": "application/octet-stream" });
  });
}

export function isForTiledLog({ url = "" }: IncomingMessage): boolean {
  return url.startsWith("/api/v2/");
}

function read(log: TiledLog, pathname: string): Buffer | undefined {
  if (pathname === "/api/v2/checkpoint") return Buffer.from(log.checkpoint());
  const pattern = /^\/api\/v2\/tile\/(\d|entries)\/((?:x\d{3}\/){0,3}\d{3})(?:\.p\/(\d{1,3}))?$/;
  const [, level = "", path = "", partial] = pattern.exec(pathname) ?? [];
  if (path === "") return undefined;
  const index = Number(path.replace(/[x/]/g, ""));
  const width = partial === undefined ? undefined : Number(partial);
  if (width === 0 || (width ?? 0) > 255) return undefined;
  return level === "entries" ? log.entries(index, width) : log.tile(Number(level), index, width);
}

/** Verifies a proposed entry, and returns the entry to store. @throws HttpFailure (400) */
function acceptEntry(request: unknown): Buffer {
  const proposed = readField(request, "hashedRekordRequestV002");
  if (proposed === undefined) throw refused("only hashedRekordRequestV002 is supported");
  const digest = readTextField(proposed, "digest");
  const signature = readField(proposed, "signature");
  const content = readTextField(signature, "content");
  const verifier = readField(signature, "verifier");
  const { key, stored } = readVerifier(verifier);
  const keyDetails = readTextField(verifier, "keyDetails");
  if (keyDetails !== keyDetailsOf(key)) {
    throw refused(`the key does not have the key details ${JSON.stringify(keyDetails)}`);
  }
  const [hash, bytes] = [Buffer.from(digest, "base64"), Buffer.from(content, "base64")];
  if (hash.byteLength !== 32) throw refused("the digest is not a SHA-256");
  if (!verifyDigest(hash, bytes, key)) {
    throw refused("the signature does not verify the digest with this key");
  }
  const spec = {
    hashedRekordV002: {
      data: { algorithm: "SHA2_256", digest },
      signature: { content, verifier: { ...stored, keyDetails } },
    },
  };
  return Buffer.from(canonicalJson({ apiVersion: "0.0.2", kind: "hashedrekord", spec }));
}

function readVerifier(verifier: unknown): { readonly key: KeyObject; readonly stored: object } {
  const certificate = readField(verifier, "x509Certificate", "rawBytes");
  const publicKey = readField(verifier, "publicKey", "rawBytes");
  try {
    if (typeof certificate === "string") {
      const { publicKey: key } = new X509Certificate(Buffer.from(certificate, "base64"));
      return { key, stored: { x509Certificate: { rawBytes: certificate } } };
    }
    const der = Buffer.from(String(publicKey), "base64");
    const key = createPublicKey({ key: der, format: "der", type: "spki" });
    return { key, stored: { publicKey: { rawBytes: publicKey } } };
  } catch {
    throw refused("the verifier is neither a certificate nor a public key in DER");
  }
}

function keyDetailsOf({ asymmetricKeyType, asymmetricKeyDetails: details }: KeyObject): string {
  if (asymmetricKeyType === "rsa") return `PKIX_RSA_PKCS1V15_${details?.modulusLength ?? 0}_SHA256`;
  if (details?.namedCurve === "prime256v1") return "PKIX_ECDSA_P256_SHA_256";
  throw refused("keys of this type are not supported");
}
