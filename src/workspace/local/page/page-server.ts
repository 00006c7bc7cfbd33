import type { IncomingMessage, ServerResponse } from "node:http";
import { join, extname } from "node:path";
import { answerBytes, answerJson } from "../../../local-service/answer";
import { HttpFailure } from "../../../local-service/http-failure";
import { parseJsonBody } from "../../../local-service/read-body";
import { startService } from "../../../local-service/service";
import { LocalPlatform, type LocalPlatformSettings } from "../local-platform";
import { listOf, objectOf } from "../terraform/json-value";
import { LocalPlatformError } from "../terraform/local-platform-error";
import { PageBuilds } from "./page-builds";
import type { BuildEvent, PageFailure } from "./page-data";
import { PageDataSource } from "./page-data-source";
import { HiddenValues } from "./hidden-values";
import { PageMasks } from "./page-masks";
import {
  buildRequestOf,
  previewRequestOf,
  secretOf,
  valueChecks,
  workspaceOf,
} from "./page-requests";
import { PageToken } from "./page-token";
import { readdir, readFile } from "node:fs/promises";

/** The settings of {@link startPage}. */
export interface PageSettings {
  readonly platform: LocalPlatformSettings;
  /** Terraform input variables. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** @default 0, any free port */
  readonly port?: number | undefined;
  /** The folder with the compiled files of the page. @default the one beside this file */
  readonly files?: string | undefined;
}

export interface Page {
  /** The address to open. Its fragment contains the token, which gives access. */
  readonly url: string;
  /** Interrupts the running build, waits until its state is saved, and stops serving. */
  close(): Promise<void>;
}

/** Serves the page of a template on the loopback interface. */
export async function startPage(settings: PageSettings): Promise<Page> {
  const token = new PageToken();
  const files = await pageFiles(settings.files ?? join(__dirname, "browser"));
  const builds = new PageBuilds(settings.platform);
  const previews = new Set<Promise<unknown>>();
  const routes = pageRoutes(settings, builds, previews);
  const service = await startService(
    async (request, response) => {
      const { method = "", url = "" } = request;
      const [path = ""] = url.split("?");
      const file = files.get(path);
      if (file !== undefined && (method === "GET" || method === "HEAD")) {
        sendFile(response, file);
        return;
      }
      const route = routes[`${method} ${path}`];
      if (route === undefined) throw new HttpFailure(404, "There is no such page.");
      token.require(request);
      await route(request, response);
    },
    { port: settings.port, hasPages: true, refuse: sendFailure },
  );
  return {
    url: `${service.url}/#token=${token.text}`,
    async close() {
      await builds.close();
      await service.close();
      // Without their connections, previews end early, and remove their files.
      await Promise.allSettled(previews);
    },
  };
}

type Route = (request: IncomingMessage, response: ServerResponse) => unknown;

function pageRoutes(
  { platform: settings, variables }: PageSettings,
  builds: PageBuilds,
  previews: Set<Promise<unknown>>,
): Readonly<Record<string, Route>> {
  const source = new PageDataSource(settings);
  const masks = new PageMasks();
  const platform = new LocalPlatform(settings);
  return {
    "GET /api/overview": async (_, response) => sendJson(response, await source.overview()),
    "POST /api/workspace": async (request, response) => {
      const { workspace } = secretOf(await jsonBody(request));
      const hidden = new HiddenValues(Object.values(await source.masked(workspace)));
      sendText(response, hidden.json(await source.workspace(workspace)));
    },
    "POST /api/secret": async (request, response) => {
      sendJson(response, { value: await source.secret(secretOf(await jsonBody(request))) });
    },
    "POST /api/preview": async (request, response) => {
      const body = await jsonBody(request);
      const { parameters = {}, owner } = previewRequestOf(body);
      const kept = await source.masked(workspaceOf(body));
      const gone = new AbortController();
      // The page gives up a preview when a value changes meanwhile.
      response.once("close", () => gone.abort());
      const preview = platform.preview({
        parameters: { ...kept, ...parameters },
        owner,
        variables,
        signal: gone.signal,
      });
      previews.add(preview);
      try {
        sendText(response, masks.preview(await preview, parameters, kept));
      } finally {
        previews.delete(preview);
      }
    },
    "POST /api/check": async (request, response) => {
      const { checks } = objectOf(await jsonBody(request));
      const problems = valueChecks(checks).map((problem, at) => {
        const { parameter, value } = objectOf(listOf(checks)[at]);
        return masks.problem(problem, objectOf(parameter)["name"], value);
      });
      sendJson(response, { problems });
    },
    "POST /api/build": async (request, response) => {
      const build = { ...buildRequestOf(await jsonBody(request)), variables };
      builds.start(build, masks.ofBuild(build, await source.masked(build.workspace)));
      sendJson(response, {}, 202);
    },
    "POST /api/interrupt": (_, response) => {
      builds.interrupt();
      sendJson(response, {}, 202);
    },
    "GET /api/events": (_, response) => {
      response.writeHead(200, { ...pageHeaders, "content-type": "text/event-stream" });
      response.flushHeaders();
      const send = (event: BuildEvent) => response.write(`data: ${JSON.stringify(event)}\n\n`);
      response.once("close", builds.listen(send));
    },
  };
}

/** Reads JSON, which only scripts can send. Forms on other pages cannot. */
async function jsonBody(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\b/.test(request.headers["content-type"] ?? "")) {
    throw new HttpFailure(415, "The request's body must be JSON.");
  }
  return await parseJsonBody(request);
}

function sendFile(response: ServerResponse, { type, content }: PageFile): void {
  answerBytes(response, 200, content, { ...pageHeaders, "content-type": type });
}

function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  if (!response.destroyed) answerJson(response, status, value, pageHeaders);
}

/** Sends JSON that has been written already. */
function sendText(response: ServerResponse, json: string): void {
  if (response.destroyed) return;
  const headers = { "content-type": "application/json", ...pageHeaders };
  answerBytes(response, 200, Buffer.from(json), headers);
}

function sendFailure(response: ServerResponse, failure: unknown): void {
  if (failure instanceof HttpFailure) {
    sendJson(
      response,
      { message: failure.message, cure: "" } satisfies PageFailure,
      failure.status,
    );
  } else if (failure instanceof LocalPlatformError) {
    const { message, cure } = failure;
    sendJson(response, { message, cure } satisfies PageFailure, 422);
  } else {
    const reason = failure instanceof Error ? failure.message : String(failure);
    const message = `This is a bug in the local platform: ${reason}`;
    sendJson(response, { message, cure: "" } satisfies PageFailure, 500);
  }
}

/**
 * Headers of every response. The page loads only its own files: no inline scripts, and images only from
 * the page itself or from data URLs, so that a template cannot make the browser connect to anything.
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

/** Reads all files of the page into memory, by the paths at which they are served. */
async function pageFiles(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.flatMap((entry) => {
    const type = types[extname(entry.name)];
    return entry.isFile() && type !== undefined ? [{ entry, type }] : [];
  });
  return new Map(
    await Promise.all(
      files.map(async ({ entry, type }) => {
        const file = join(entry.parentPath, entry.name);
        const path = file.slice(folder.length).replaceAll("\\", "/");
        const content = await readFile(file);
        return [path === "/index.html" ? "/" : path, { type, content }] as const;
      }),
    ),
  );
}
