import { request as httpRequest } from "node:http";
import { createFaultyIds, type FaultyIdsSettings } from "./faulty-ids";

export const parent = "projects/acme/locations/us-central1-a";
export const edge = `${parent}/endpoints/edge`;
export const body = { network: "projects/acme/global/networks/main", severity: "HIGH" };

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly json: Readonly<Record<string, unknown>>;
  readonly text: string;
}

interface Sent {
  readonly json?: unknown;
  readonly text?: string;
  readonly headers?: Record<string, string>;
}

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

/** A local back end on a free port, and a plain HTTP client. */
export async function start(settings: FaultyIdsSettings = {}) {
  const clock = { time: Date.parse("2026-03-01T12:00:00Z"), now: () => clock.time };
  const lines: string[] = [];
  const local = createFaultyIds({ clock, log: (line) => lines.push(line), ...settings });
  const { url } = await local.listen({ port: 0 });
  closers.push(() => local.close());
  const call = (method: string, path: string, sent: Sent = {}) =>
    send(method, new URL(path, url), sent);
  return {
    clock,
    lines,
    url,
    close: () => local.close(),
    call,
    create: (endpointId: string, json: unknown = body, query = "") =>
      call("POST", `${parent}/endpoints?endpointId=${endpointId}${query}`, { json }),
  };
}

function send(method: string, url: URL, { json, text, headers = {} }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const message = httpRequest(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const answer = Buffer.concat(chunks).toString();
        const { statusCode: status = 0, headers: received } = response;
        resolve({ status, headers: received, json: parse(answer), text: answer });
      });
    });
    message.on("error", reject);
    message.end(text ?? (json === undefined ? undefined : JSON.stringify(json)));
  });
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** The canonical code and the invalid fields of an error. */
export function refusal({ status, json }: Answer) {
  const error: unknown = json["error"];
  const text = JSON.stringify(error);
  return {
    status,
    code: /"status":"([A-Z_]+)"/.exec(text)?.[1],
    fields: [...text.matchAll(/"field":"([^"]*)"/g)].map(([, field]) => field),
  };
}
