import type { Session } from "node:inspector";
import { SourceMap, type SourceMapPayload } from "node:module";
import { fileURLToPath } from "node:url";
import { isObject, parsedJson } from "../../json/plain-json";
import { isUsersFile } from "../app-process/source-position";

/** A place in a script, as the inspector of Node.js describes it: lines and columns begin at 0. */
export interface ScriptPlace {
  readonly scriptId: string;
  readonly lineNumber: number;
  readonly columnNumber?: number | undefined;
}

/** Finds places in the sources, for an inspector of this thread or of another one. */
export class CodePlaces {
  readonly #session: Session;
  readonly #urls = new Map<string, string>();

  constructor(session: Session) {
    this.#session = session;
    session.on("Debugger.scriptParsed", ({ params }) => {
      this.#urls.set(params.scriptId, params.url);
    });
    session.post("Debugger.enable");
  }

  /** Returns a place in the user's code, such as `/app/providers.ts:14:5`; undefined for any other. */
  async find(place: ScriptPlace): Promise<string | undefined> {
    const { scriptId, lineNumber, columnNumber = 0 } = place;
    const url = this.#urls.get(scriptId) ?? "";
    const file = url.startsWith("file:") ? fileURLToPath(url) : url;
    if (!isUsersFile(file)) return undefined;
    const entry = (await this.#mapOf(scriptId))?.findEntry(lineNumber, columnNumber);
    const [line, column] =
      entry !== undefined && "originalLine" in entry
        ? [entry.originalLine, entry.originalColumn]
        : [lineNumber, columnNumber];
    return `${file}:${line + 1}:${column + 1}`;
  }

  /** Reads the map that the loader of TypeScript has added to a script. */
  async #mapOf(scriptId: string): Promise<SourceMap | undefined> {
    const code = await new Promise<string>((resolve) => {
      this.#session.post("Debugger.getScriptSource", { scriptId }, (failure, result) => {
        resolve(failure === null ? result.scriptSource : "");
      });
    });
    const [, encoded = ""] =
      /\/\/# sourceMappingURL=data:application\/json;base64,(\S+)\s*$/.exec(code) ?? [];
    const payload = parsedJson(Buffer.from(encoded, "base64").toString());
    return isPayload(payload) ? new SourceMap(payload) : undefined;
  }
}

const isPayload = (value: unknown): value is SourceMapPayload =>
  isObject(value) && Array.isArray(value["sources"]) && typeof value["mappings"] === "string";
