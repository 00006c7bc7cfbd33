import type { ServerResponse } from "node:http";
import { isObject } from "../../../../../src/core/json/plain-json";
import { type Digest, digestOf } from "../../../../../src/core/signing/oci/reference/descriptor";
import {
  startScriptedServer,
  type ScriptedAnswer,
  type ScriptedRequest,
} from "../../../http/scripted-server";

/** What a registry does itself; undefined for what it leaves to the registry behind it. */
export type FrontScript = (
  request: ScriptedRequest,
  /** What the registry behind it answers. */
  behind: () => Promise<ScriptedAnswer>,
  /** For what it writes itself. The script then never returns. */
  response: ServerResponse,
) => ScriptedAnswer | undefined | Promise<ScriptedAnswer | undefined>;

/** Headers that say something about the content, and not about the connection. */
const passedOn = [
  "content-type",
  "docker-content-digest",
  "etag",
  "location",
  "link",
  "oci-subject",
  "accept",
  "if-match",
];

/** A registry in front of another one, which answers some requests differently. */
export async function startFront(upstream: string, script: FrontScript) {
  const served = { bytes: 0 };
  const server = await startScriptedServer(async (request, _number, response) => {
    const own = await script(request, () => forward(upstream, request), response);
    const answer = own ?? (await forward(upstream, request));
    served.bytes += Buffer.byteLength(answer.body ?? "");
    return answer;
  });
  return {
    host: `127.0.0.1:${server.port}`,
    requests: server.requests,
    /** How many bytes of bodies it sent. */
    served,
  };
}

async function forward(upstream: string, request: ScriptedRequest): Promise<ScriptedAnswer> {
  const { method, url, headers, body } = request;
  const sent: Record<string, string> = {};
  for (const name of passedOn) if (typeof headers[name] === "string") sent[name] = headers[name];
  const hasBody = method !== "GET" && method !== "HEAD" && body.byteLength > 0;
  const answer = await fetch(`${upstream}${url}`, {
    method,
    headers: sent,
    redirect: "manual",
    ...(hasBody ? { body: new Uint8Array(body) } : {}),
  });
  const got: Record<string, string> = {};
  for (const name of passedOn) {
    const value = answer.headers.get(name);
    if (value !== null) got[name] = value;
  }
  return { status: answer.status, headers: got, body: Buffer.from(await answer.arrayBuffer()) };
}

/** Content that is made again for each request, so that a test itself holds little. */
export interface Content {
  readonly digest: Digest;
  readonly size: number;
  readonly bytes: () => Buffer;
}

export const content = (bytes: () => Buffer): Content => {
  const made = bytes();
  return { digest: digestOf(made), size: made.byteLength, bytes };
};

/** Different content of a size. */
export const filler = (size: number, number: number): Content =>
  content(() => Buffer.alloc(size, `${number} `));

/** Entries that are added before those of the registry, or made of them. */
export type Listing = readonly object[] | ((own: readonly object[]) => readonly object[]);

/** What somebody attached to an image: layers under a tag, referrers, and the content of both. */
export interface Attachments {
  readonly tag?: string;
  readonly layers?: Listing;
  readonly referrers?: Listing;
  readonly contents?: readonly Content[];
}

const indexType = "application/vnd.oci.image.index.v1+json";
const manifestType = "application/vnd.oci.image.manifest.v1+json";

/** A registry in which somebody attached more to an image. */
export function attaching({ tag, layers, referrers, contents = [] }: Attachments): FrontScript {
  const byDigest = new Map<string, Content>(contents.map((each) => [each.digest, each]));
  return async ({ method, url }, behind) => {
    if (method !== "GET") return undefined;
    const name = decodeURIComponent(url.slice(url.lastIndexOf("/") + 1));
    if (layers !== undefined && name === tag) {
      return merged(await behind(), "layers", layers, manifestType);
    }
    if (referrers !== undefined && url.includes("/referrers/")) {
      return merged(await behind(), "manifests", referrers, indexType);
    }
    const found = byDigest.get(name);
    return found && { headers: { "content-type": manifestType }, body: found.bytes() };
  };
}

function merged(
  { status, body = "" }: ScriptedAnswer,
  member: "layers" | "manifests",
  listing: Listing,
  mediaType: string,
): ScriptedAnswer {
  const own: unknown = status === 200 ? JSON.parse(body.toString()) : {};
  if (!isObject(own)) throw new Error("the registry returned no object");
  const before = Array.isArray(own[member]) ? (own[member] as object[]) : [];
  const all = typeof listing === "function" ? listing(before) : [...listing, ...before];
  const json = { schemaVersion: 2, mediaType, ...own, [member]: all };
  return { headers: { "content-type": mediaType }, body: JSON.stringify(json) };
}
