import { Session } from "node:inspector";
import { isRecord } from "../../core/json/plain-json";
import type { ErasedProvider } from "../../core/provider-kit";
import { CodePlaces, type ScriptPlace } from "../user-code/code-places";

type Definition = ErasedProvider<unknown>;
type Handler = (...args: readonly unknown[]) => unknown;

/** What handlers belong to: a resource, a data source, or anything else with a declaration. */
interface Implementation {
  readonly declaration: { readonly type: string };
}

/**
 * Returns a definition that tells which of its handlers do not return.
 *
 * @param limitMs how long a handler runs before it is reported, and then again
 */
export function watchHandlers(
  definition: Definition,
  limitMs: number,
  tell: (text: string) => void,
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
          tell(`${name} has not returned for ${seconds} s${at}`);
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
    // An inspector of its own thread calls back at once.
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
