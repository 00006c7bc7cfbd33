import type { IncomingMessage, ServerResponse } from "node:http";
import { answerBytes, answerJson } from "../../../local-service/answer";
import { HttpFailure } from "../../../local-service/http-failure";
import type { Listener } from "../../../local-service/service";
import { parseJsonBody } from "../../../local-service/read-body";
import { readField, readTextField } from "../../../local-service/read-field";
import { acceptEntry } from "./log-entry";
import type { TransparencyLog } from "./transparency-log";

const maxEntryBytes = 100 * 2 ** 20;

/**
 * The HTTP API of Rekor, version 1.
 *
 * @see https://github.com/sigstore/rekor/blob/main/openapi.yaml
 */
export function logListener(log: TransparencyLog, print: (line: string) => void): Listener {
  return (request, response) => serve(log, print, request, response);
}

async function serve(
  log: TransparencyLog,
  print: (line: string) => void,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://localhost");
  const number = (name: string) => Number(query.get(name) ?? "0");
  switch (`${request.method ?? ""} ${pathname}`) {
    case "POST /api/v1/log/entries":
      await addEntry(log, print, request, response);
      return;
    case "GET /api/v1/log/entries":
      answerJson(response, 200, found(log.find(number("logIndex"))));
      return;
    case "POST /api/v1/log/entries/retrieve":
      answerJson(response, 200, retrieve(log, await parseJsonBody(request)));
      return;
    case "POST /api/v1/index/retrieve": {
      const hash = readTextField(await parseJsonBody(request), "hash");
      answerJson(response, 200, log.search(hash.includes(":") ? hash : `sha256:${hash}`));
      return;
    }
    case "GET /api/v1/log":
      answerJson(response, 200, log.describe());
      return;
    case "GET /api/v1/log/proof": {
      const proof = log.consistencyProof(number("firstSize") || 1, number("lastSize"));
      if (proof === undefined) throw new HttpFailure(400, "the log was never of these sizes");
      answerJson(response, 200, proof);
      return;
    }
    case "GET /api/v1/log/publicKey":
      answerBytes(response, 200, Buffer.from(log.key.publicKeyPem), {
        "content-type": "application/x-pem-file",
      });
      return;
    default: {
      const [, uuid] = /^\/api\/v1\/log\/entries\/([0-9a-f]{64,80})$/.exec(pathname) ?? [];
      if (uuid === undefined || request.method !== "GET") {
        throw new HttpFailure(404, "the transparency log has no such path");
      }
      answerJson(response, 200, found(log.find(uuid)));
    }
  }
}

async function addEntry(
  log: TransparencyLog,
  print: (line: string) => void,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { uuid, isNew } = await log.add(acceptEntry(await parseJsonBody(request, maxEntryBytes)));
  const location = `/api/v1/log/entries/${uuid}`;
  if (!isNew) {
    const problem = `an equivalent entry already exists in the transparency log with UUID ${uuid}`;
    throw new HttpFailure(409, problem, { location });
  }
  print(`logged an entry: ${uuid}`);
  answerJson(response, 201, found(log.find(uuid)), { location, etag: uuid });
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

function found(entry: unknown): unknown {
  if (entry === undefined) throw new HttpFailure(404, "the log has no such entry");
  return entry;
}
