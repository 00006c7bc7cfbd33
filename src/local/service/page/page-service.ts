import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { answerBytes, HttpFailure } from "../answer";
import { parseJsonBody } from "../request";
import { startService } from "../service";

/** Handles requests for data, by method and path. All of them need the token. */
export type PageRoutes = Readonly<
  Record<string, (request: IncomingMessage, response: ServerResponse) => unknown>
>;

export interface PageFailure {
  readonly message: string;
  /** What to do; empty if unknown. */
  readonly cure: string;
}

export interface ExplainedFailure extends PageFailure {
  readonly status: number;
}

interface PageServiceSettings {
  /** The folder with the compiled files of the page. */
  readonly files: string;
  /** @default 0, any free port */
  readonly port?: number | undefined;
  readonly routes: PageRoutes;
  /** Explains what a route has thrown, except for an `HttpFailure`. */
  readonly explain: (failure: unknown) => ExplainedFailure;
}

export interface PageService {
  /** The address to open. Its fragment contains the token, which gives access. */
  readonly url: string;
  close(): Promise<void>;
}

/** The path of the modules that all pages share. Relative imports resolve to it as they do in the sources. */
const sharedPath = "/service/page/browser";

/** Serves a page on the loopback interface: its files to everyone, its data only with the token. */
export async function startPageService(settings: PageServiceSettings): Promise<PageService> {
  const { routes, port, explain } = settings;
  const token = randomBytes(24).toString("base64url");
  const files = new Map([
    ...(await pageFiles(join(__dirname, "browser"), sharedPath)),
    ...(await pageFiles(settings.files, "")),
  ]);
  const service = await startService(
    async (request, response) => {
      const { method = "", url = "" } = request;
      const [path = ""] = url.split("?");
      const file = files.get(path);
      if (file !== undefined && (method === "GET" || method === "HEAD")) {
        answerBytes(response, 200, file.content, { ...pageHeaders, "content-type": file.type });
        return;
      }
      const route = routes[`${method} ${path}`];
      if (route === undefined) throw new HttpFailure(404, "This page does not exist.");
      requireToken(request, token);
      await route(request, response);
    },
    {
      port,
      hasPages: true,
      refuse(response, failure) {
        const { status, message, cure } =
          failure instanceof HttpFailure
            ? { status: failure.status, message: failure.message, cure: "" }
            : explain(failure);
        sendJson(response, { message, cure } satisfies PageFailure, status);
      },
    },
  );
  return { url: `${service.url}/#token=${token}`, close: () => service.close() };
}

/** Reads JSON, which forms on other pages cannot send. */
export async function jsonBody(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\b/.test(request.headers["content-type"] ?? "")) {
    throw new HttpFailure(415, "The request body must be JSON.");
  }
  return await parseJsonBody(request);
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  sendText(response, JSON.stringify(value), status);
}

/** Sends a value that is already JSON. */
export function sendText(response: ServerResponse, json: string, status = 200): void {
  if (response.destroyed) return;
  const headers = { "content-type": "application/json", ...pageHeaders };
  answerBytes(response, status, Buffer.from(json), headers);
}

/**
 * Sends events until the page closes the connection.
 *
 * @param listen starts passing on events, and returns a function that stops it
 */
export function sendEvents(
  response: ServerResponse,
  listen: (send: (event: unknown) => void) => () => void,
): void {
  response.writeHead(200, { ...pageHeaders, "content-type": "text/event-stream" });
  response.flushHeaders();
  const stop = listen((event) => response.write(`data: ${JSON.stringify(event)}\n\n`));
  response.once("close", stop);
}

/**
 * Headers of every response. A page loads only its own files: no inline scripts, and images only from the page
 * itself or from data URLs. So its content cannot make the browser connect to other servers.
 */
const pageHeaders: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

interface PageFile {
  readonly type: string;
  readonly content: Buffer;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Reads all files of a folder, by the path at which each is served: `index.html` without its name. */
async function pageFiles(
  folder: string,
  prefix: string,
): Promise<readonly (readonly [string, PageFile])[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.flatMap((entry) => {
    const type = types[extname(entry.name)];
    return entry.isFile() && type !== undefined ? [{ entry, type }] : [];
  });
  return await Promise.all(
    files.map(async ({ entry, type }) => {
      const file = join(entry.parentPath, entry.name);
      const path = prefix + file.slice(folder.length).replaceAll("\\", "/");
      const content = await readFile(file);
      return [path === "/index.html" ? "/" : path, { type, content }] as const;
    }),
  );
}

/**
 * Requires the token that the page sends with each request for data. Only readers of the command's output know it:
 * other users of this machine and other web pages do not.
 *
 * The token is in the fragment of the page's URL, which browsers do not send. The page sends it in a header, not in
 * a cookie, because all ports of a host share their cookies.
 *
 * @throws HttpFailure (401)
 */
function requireToken({ headers }: IncomingMessage, token: string): void {
  const [, given = ""] = /^Bearer (\S+)$/.exec(headers.authorization ?? "") ?? [];
  if (!timingSafeEqual(digest(given), digest(token))) {
    throw new HttpFailure(401, "Open the address that the command printed, including its token.");
  }
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
