import { answerBytes, answerJson } from "../../service/answer";
import { HttpFailure } from "../../service/http-failure";
import { parseJsonBody } from "../../service/read-body";
import { readField, readTextField } from "../../service/read-field";
import { routes, type Routes } from "../../service/routes";
import type { Listener } from "../../service/service";
import { acceptEntry } from "./log-entry";
import type { TransparencyLog } from "./transparency-log";

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
  const list = (name: string): readonly unknown[] => {
    const value = readField(body, name);
    return Array.isArray(value) ? value : [];
  };
  const addresses = [...list("entryUUIDs"), ...list("logIndexes")];
  // Entries may also be requested in the form in which they were proposed.
  const proposed = list("entries").map((entry) => log.uuidOf(acceptEntry(entry)));
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
