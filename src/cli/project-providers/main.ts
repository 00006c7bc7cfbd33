import { Session } from "node:inspector";
import { createRequire } from "node:module";
import { isRecord } from "../../core/json/plain-json";
import type { ErasedProvider } from "../../core/provider-kit";
import type { serveProject } from "../../core/provider-kit/host";
import { CodePlaces, type ScriptPlace } from "../user-code/source-position";
import { LoopGuard } from "../user-code/loop-guard";
import { kitPackage, loadProviders } from "./provider-file";

/** How long a handler can take before it is reported. */
const reportMs = 60_000;

/** How long a handler can block the process before the process is ended. */
const blockedMs = 30_000;

/**
 * The process that serves the providers of a project for `trivet`: `main.js FILE [REPORT-MS BLOCKED-MS]`.
 */
function main(path: string, report = String(reportMs), blocked = String(blockedMs)): void {
  const host = createRequire(path)(`${kitPackage}/host`) as {
    readonly serveProject: typeof serveProject;
  };
  // The first line of standard output is for `trivet`, so what the file prints while it is loaded must not go there.
  process.stdout.write = process.stderr.write.bind(process.stderr);
  new LoopGuard({}).watch(Number(blocked));
  const providers = loadProviders(path, (definition) =>
    watchHandlers(definition, Number(report), reportHandler),
  );
  host.serveProject(providers);
}

/** Writes to the log. `trivet` reads it, and shows entries about waiting. */
function reportHandler(text: string): void {
  const entry = { "@level": "warn", "@message": text, "@module": "provider", waitMs: reportMs };
  process.stderr.write(`${JSON.stringify(entry)}\n`);
}

const [, , path, report, blocked] = process.argv;
if (path !== undefined) main(path, report, blocked);

type Definition = ErasedProvider<unknown>;
type Handler = (...args: readonly unknown[]) => unknown;

/** A resource, a data source, or anything else with a declaration and handlers. */
interface Implementation {
  readonly declaration: { readonly type: string };
}

/**
 * Returns a definition that reports handlers that do not return.
 *
 * @param limitMs how long a handler runs before each report
 */
export function watchHandlers(
  definition: Definition,
  limitMs: number,
  reportHandler: (text: string) => void,
): Definition {
  const watched = <Each extends Implementation>(each: Each): Each =>
    Object.fromEntries(
      Object.entries(each).map(([name, value]) => [
        name,
        typeof value === "function"
          ? watchedHandler(`${name} of ${each.declaration.type}`, each, value as Handler)
          : value,
      ]),
    ) as Each;

  const watchedHandler =
    (name: string, self: Implementation, handler: Handler): Handler =>
    (...args) => {
      const result = handler.apply(self, [...args]);
      if (!(result instanceof Promise)) return result;
      let runs = 0;
      const timer = setInterval(() => {
        const seconds = Math.round((++runs * limitMs) / 1000);
        void placeOf(handler).then((place) => {
          const at = place === undefined ? "" : ` (${place})`;
          reportHandler(`${name} has not returned for ${seconds} s${at}`);
        });
      }, limitMs);
      timer.unref();
      const end = (): void => {
        clearInterval(timer);
      };
      result.then(end, end);
      return result;
    };

  const { dataSources, ephemeralResources, actions } = definition;
  return {
    ...definition,
    configure: (config, context) => definition.configure(config, context),
    resources: definition.resources.map(watched),
    dataSources: dataSources?.map(watched),
    ephemeralResources: ephemeralResources?.map(watched),
    actions: actions?.map(watched),
  };
}

const inspected = Symbol.for("trivet.inspected-handler");

/** Returns where a function is in the sources. */
async function placeOf(handler: Handler): Promise<string | undefined> {
  const session = new Session();
  const shared = globalThis as { [inspected]?: Handler | undefined };
  session.connect();
  try {
    const places = new CodePlaces(session);
    shared[inspected] = handler;
    let found: ScriptPlace | undefined;
    // For its own thread, an inspector calls back synchronously.
    const expression = `globalThis[Symbol.for("${Symbol.keyFor(inspected) ?? ""}")]`;
    session.post("Runtime.evaluate", { expression }, (_, { result }) => {
      const { objectId } = result;
      if (objectId === undefined) return;
      session.post("Runtime.getProperties", { objectId }, (__, { internalProperties }) => {
        const place = internalProperties?.find(({ name }) => name === "[[FunctionLocation]]");
        const value: unknown = place?.value?.value;
        if (isPlace(value)) found = value;
      });
    });
    const position = found && (await places.find(found));
    return position && `${position.file}:${position.line}:${position.column}`;
  } finally {
    shared[inspected] = undefined;
    session.disconnect();
  }
}

const isPlace = (value: unknown): value is ScriptPlace =>
  isRecord(value) &&
  typeof value["scriptId"] === "string" &&
  typeof value["lineNumber"] === "number";
