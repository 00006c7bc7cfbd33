import { messageOf } from "../../../core/failure/failure";
import { join } from "node:path";
import { writeText } from "../../../core/redaction/output";
import {
  type ExplainedFailure,
  jsonBody,
  type PageRoutes,
  sendEvents,
  sendJson,
  sendText,
  startPageService,
} from "../../service/page/page-service";
import { untilAborted } from "../../service/service";
import { LocalPlatform, type LocalPlatformSettings } from "../local-platform";
import { listOf, objectOf } from "../terraform/json-value";
import { isLocalPlatformError } from "../terraform/local-platform-error";
import { HiddenValues } from "../view/viewed-values";
import { PageBuilds, PageMasks } from "./page-builds";
import { PageDataSource } from "./page-data-source";
import {
  buildRequestOf,
  previewRequestOf,
  secretOf,
  valueChecks,
  workspaceOf,
} from "./page-requests";

interface PageSettings {
  readonly platform: LocalPlatformSettings;
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

export async function startPage(settings: PageSettings): Promise<Page> {
  const builds = new PageBuilds(settings.platform);
  const previews = new Set<Promise<unknown>>();
  const service = await startPageService({
    files: settings.files ?? join(__dirname, "browser"),
    port: settings.port,
    routes: pageRoutes(settings, builds, previews),
    explain,
  });
  return {
    url: service.url,
    async close() {
      await builds.close();
      await service.close();
      // Previews without a connection end early, and remove their files.
      await Promise.allSettled(previews);
    },
  };
}

function pageRoutes(
  { platform: settings, variables }: PageSettings,
  builds: PageBuilds,
  previews: Set<Promise<unknown>>,
): PageRoutes {
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
      // The page abandons a preview when a value changes.
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
      sendEvents(response, (send) => builds.listen(send));
    },
  };
}

function explain(failure: unknown): ExplainedFailure {
  if (isLocalPlatformError(failure)) {
    const { message, advice = "" } = failure;
    return { status: 422, message, cure: advice };
  }
  const reason = messageOf(failure);
  return { status: 500, message: `This is a bug in the local platform: ${reason}`, cure: "" };
}

interface OpenOptions extends PageSettings {
  readonly stdout: { write(text: string): unknown };
  readonly signal: AbortSignal;
}

/**
 * Runs `trivet local workspace open` until the signal aborts. This interrupts a running build, whose state is saved.
 *
 * @throws LocalServiceError if the port cannot be used; LocalPlatformError if the folder for state is inside the
 * template
 */
export async function runLocalWorkspacePage({
  stdout,
  signal,
  ...settings
}: OpenOptions): Promise<void> {
  const page = await startPage(settings);
  writeText(stdout, `${page.url}\n`);
  writeText(
    stdout,
    "Open this address in a browser. It contains a secret token: do not share it. Ctrl-C stops.\n",
  );
  await untilAborted(signal);
  await page.close();
}
