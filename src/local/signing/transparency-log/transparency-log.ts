import { canonicalJson } from "../../../core/json/exact-json";
import { parseTrustedJson } from "../../../core/json/plain-json";
import { answerBytes, answerJson, HttpFailure } from "../../service/answer";
import {
  parseJsonBody,
  readField,
  readList,
  readTextField,
  routes,
  type Routes,
} from "../../service/request";
import type { Listener } from "../../service/service";
import type { SigningKey } from "../keys/signing-key";
import { type Journal, leafHash, MerkleTree } from "../merkle/merkle-tree";
import { acceptEntry, type LogEntry } from "./log-entry";

interface KeptEntry {
  readonly uuid: string;
  readonly body: string;
  readonly integratedTime: number;
  readonly signedEntryTimestamp: string;
  readonly digests: readonly string[];
}

/** The transparency log: entries in the order of their arrival, and the tree over them. */
export class TransparencyLog {
  readonly treeId: string;
  readonly #tree = new MerkleTree();
  readonly #entries: KeptEntry[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #byDigest = new Map<string, string[]>();
  readonly #name: string;
  readonly #journal: Journal;
  readonly #now: () => Date;

  /** @param name the log's name in checkpoints, which verifiers compare with the log's URL */
  constructor(
    readonly key: SigningKey,
    name: string,
    journal: Journal,
    now: () => Date,
  ) {
    this.#name = name;
    this.#journal = journal;
    this.#now = now;
    this.treeId = (key.id.readBigUInt64BE() >> 1n).toString();
    for (const line of journal.lines) {
      const value = parseTrustedJson(line);
      this.#keep({
        uuid: readTextField(value, "uuid"),
        body: readTextField(value, "body"),
        integratedTime: Number(readField(value, "integratedTime")),
        signedEntryTimestamp: readTextField(value, "signedEntryTimestamp"),
        digests: readList(value, "digests").map(String),
      });
    }
  }

  get size(): number {
    return this.#tree.size;
  }

  /** Adds an entry; resolves when it is written. An equal entry is not added again. */
  async add(entry: LogEntry): Promise<{ uuid: string; isNew: boolean }> {
    const uuid = this.uuidOf(entry);
    if (this.#indexes.has(uuid)) return { uuid, isNew: false };
    const body = entry.body.toString("base64");
    const integratedTime = Math.floor(this.#now().getTime() / 1000);
    const logIndex = this.#tree.size;
    const promise = canonicalJson({ body, integratedTime, logID: this.#logId, logIndex });
    const signedEntryTimestamp = this.key.sign(Buffer.from(promise)).toString("base64");
    const kept = { uuid, body, integratedTime, signedEntryTimestamp, digests: entry.digests };
    this.#keep(kept);
    await this.#journal.append(JSON.stringify(kept));
    return { uuid, isNew: true };
  }

  /** Finds an entry by its UUID, with or without the tree ID, or by its index. */
  find(address: string | number): Readonly<Record<string, unknown>> | undefined {
    const index = typeof address === "number" ? address : this.#indexes.get(address);
    const entry = index === undefined ? undefined : this.#entries[index];
    if (index === undefined || entry === undefined) return undefined;
    const { uuid, body, integratedTime, signedEntryTimestamp } = entry;
    const inclusionProof = {
      checkpoint: this.#checkpoint(),
      hashes: this.#tree.inclusionProof(index).map((hash) => hash.toString("hex")),
      logIndex: index,
      rootHash: this.#tree.root().toString("hex"),
      treeSize: this.#tree.size,
    };
    const verification = { inclusionProof, signedEntryTimestamp };
    return { [uuid]: { body, integratedTime, logID: this.#logId, logIndex: index, verification } };
  }

  /** Returns the UUID of an entry, which may not be in the log. */
  uuidOf(entry: LogEntry): string {
    const treeId = BigInt(this.treeId).toString(16).padStart(16, "0");
    return treeId + leafHash(entry.body).toString("hex");
  }

  /** The UUIDs of entries for content with this digest. */
  search(digest: string): readonly string[] {
    return this.#byDigest.get(digest) ?? [];
  }

  describe(): unknown {
    return {
      inactiveShards: [],
      rootHash: this.#tree.root().toString("hex"),
      signedTreeHead: this.#checkpoint(),
      treeID: this.treeId,
      treeSize: this.#tree.size,
    };
  }

  /** Undefined if the log never had that size. */
  consistencyProof(first: number, last: number): unknown {
    if (!(first >= 1 && first <= last && last <= this.#tree.size)) return undefined;
    const hashes = this.#tree.consistencyProof(first, last).map((hash) => hash.toString("hex"));
    return { rootHash: this.#tree.root(last).toString("hex"), hashes };
  }

  get #logId(): string {
    return this.key.id.toString("hex");
  }

  /** Returns a signed note with the size and the root of the tree. */
  #checkpoint(): string {
    const root = this.#tree.root().toString("base64");
    const note = `${this.#name} - ${this.treeId}\n${this.#tree.size}\n${root}\n`;
    const hint = this.key.id.subarray(0, 4);
    const signature = Buffer.concat([hint, this.key.sign(Buffer.from(note))]);
    return `${note}\n\u2014 ${this.#name} ${signature.toString("base64")}\n`;
  }

  #keep(entry: KeptEntry): void {
    const hash = leafHash(Buffer.from(entry.body, "base64"));
    const index = this.#tree.append(hash);
    this.#entries.push(entry);
    this.#indexes.set(entry.uuid, index);
    this.#indexes.set(hash.toString("hex"), index);
    for (const digest of entry.digests) {
      const uuids = this.#byDigest.get(digest) ?? [];
      uuids.push(entry.uuid);
      this.#byDigest.set(digest, uuids);
    }
  }
}

const maxEntryBytes = 100 * 2 ** 20;

/**
 * The HTTP API of Rekor, version 1.
 *
 * @see https://github.com/sigstore/rekor/blob/main/openapi.yaml
 */
export function logListener(log: TransparencyLog, print: (line: string) => void): Listener {
  const table: Routes = {
    "POST /api/v1/log/entries": async ({ request, response }) => {
      const proposed = await parseJsonBody(request, maxEntryBytes);
      const { uuid, isNew } = await log.add(acceptEntry(proposed));
      const location = `/api/v1/log/entries/${uuid}`;
      if (!isNew) {
        const problem = `an equivalent entry already exists in the transparency log with UUID ${uuid}`;
        throw new HttpFailure(409, problem, { location });
      }
      print(`logged an entry: ${uuid}`);
      answerJson(response, 201, found(log.find(uuid)), { location, etag: uuid });
    },
    "GET /api/v1/log/entries": ({ query }) => found(log.find(numberIn(query, "logIndex"))),
    "POST /api/v1/log/entries/retrieve": async ({ request }) =>
      retrieve(log, await parseJsonBody(request)),
    "POST /api/v1/index/retrieve": async ({ request }) => {
      const hash = readTextField(await parseJsonBody(request), "hash");
      return log.search(hash.includes(":") ? hash : `sha256:${hash}`);
    },
    "GET /api/v1/log": () => log.describe(),
    "GET /api/v1/log/proof": ({ query }) => {
      const [first, last] = [numberIn(query, "firstSize") || 1, numberIn(query, "lastSize")];
      const proof = log.consistencyProof(first, last);
      if (proof === undefined) throw new HttpFailure(400, "the log was never of these sizes");
      return proof;
    },
    "GET /api/v1/log/publicKey": ({ response }) =>
      answerBytes(response, 200, Buffer.from(log.key.publicKeyPem), {
        "content-type": "application/x-pem-file",
      }),
  };
  return routes("the transparency log", table, ({ request, path }) => {
    const [, uuid] = /^\/api\/v1\/log\/entries\/([0-9a-f]{64,80})$/.exec(path) ?? [];
    if (uuid === undefined || request.method !== "GET") {
      throw new HttpFailure(404, "the transparency log has no such path");
    }
    return found(log.find(uuid));
  });
}

function retrieve(log: TransparencyLog, body: unknown): readonly unknown[] {
  const addresses = [...readList(body, "entryUUIDs"), ...readList(body, "logIndexes")];
  // Entries can also be requested in the form in which they were proposed.
  const proposed = readList(body, "entries").map((entry) => log.uuidOf(acceptEntry(entry)));
  return [...addresses, ...proposed].flatMap((address) => {
    const isAddress = typeof address === "string" || typeof address === "number";
    return (isAddress ? log.find(address) : undefined) ?? [];
  });
}

const numberIn = (query: URLSearchParams, name: string): number => Number(query.get(name) ?? "0");

function found(entry: unknown): unknown {
  if (entry === undefined) throw new HttpFailure(404, "the log has no such entry");
  return entry;
}
