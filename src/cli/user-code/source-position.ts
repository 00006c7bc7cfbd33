import { readFileSync, statSync } from "node:fs";
import type { Session } from "node:inspector";
import { findSourceMap, SourceMap, type SourceMapPayload } from "node:module";
import { dirname, join, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isObject, parsedJson } from "../../core/json/plain-json";
import type { SourcePosition } from "../../planner/changes/construct-place";

/** The folder of this package, with its compiled files. */
const ownFolder = join(__dirname, "..", "..") + sep;

/** True for code of the user: not of Node.js, and not of a package. */
export const isUsersFile = (file: string): boolean =>
  !file.startsWith("node:") &&
  !/[/\\]node_modules[/\\]/.test(file) &&
  !file.startsWith(ownFolder) &&
  resolve(file) === file;

/** A larger compiled file or map is not read. */
const maxBytes = 32 * 1024 * 1024;

/** Finds the places in the sources of compiled places. Reads each map once. */
export class SourcePositions {
  readonly #maps = new Map<string, SourceMap | undefined>();

  /** Sets the map of a file that was compiled in this process. */
  set(file: string, map: string): void {
    this.#maps.set(file, parseMap(map));
  }

  clear(): void {
    this.#maps.clear();
  }

  /** Returns the place in the source; the given place if the file has no source map. */
  sourceOf(place: SourcePosition): SourcePosition {
    const source = mapped(this.#mapOf(place.file), place);
    return { ...source, file: onDisk(source.file) };
  }

  #mapOf(file: string): SourceMap | undefined {
    if (/\.[cm]?tsx?$/.test(file)) return undefined;
    if (!this.#maps.has(file)) {
      const known = findSourceMap(file) ?? findSourceMap(pathToFileURL(file).href);
      this.#maps.set(file, known ?? readMap(file));
    }
    return this.#maps.get(file);
  }
}

/**
 * Yarn's Plug'n'Play gives a package of the workspace with peers a path that does not exist on disk:
 * `.yarn/__virtual__/HASH/1/packages/network` is `packages/network`, one folder above `.yarn`.
 */
const onDisk = (file: string): string =>
  resolve(
    file.replace(
      /([/\\])__virtual__[/\\][^/\\]+[/\\](\d)[/\\]/,
      (_, separator: string, up: string) => separator + `..${separator}`.repeat(Number(up)),
    ),
  );

function mapped(
  map: SourceMap | undefined,
  { file, line, column }: SourcePosition,
): SourcePosition {
  const entry = map?.findEntry(line - 1, column - 1);
  if (entry === undefined || !("originalSource" in entry)) return { file, line, column };
  const { originalSource, originalLine, originalColumn } = entry;
  return {
    file: pathOf(originalSource, dirname(file)),
    line: originalLine + 1,
    column: originalColumn + 1,
  };
}

/** Returns the place in the source of code with a source map; otherwise the given place. */
export const sourceIn = (code: string, place: SourcePosition): SourcePosition =>
  mapped(mapNamedIn(code, place.file), place);

const readMap = (file: string): SourceMap | undefined => mapNamedIn(readBounded(file) ?? "", file);

function mapNamedIn(code: string, file: string): SourceMap | undefined {
  const urls = [...code.matchAll(/^\/\/[#@] sourceMappingURL=(\S+)\s*$/gm)];
  const url = urls.at(-1)?.[1];
  if (url === undefined) return undefined;
  const [, encoded] = /^data:application\/json;(?:charset=[^;]+;)?base64,(.*)$/.exec(url) ?? [];
  const text =
    encoded === undefined
      ? readBounded(pathOf(url, dirname(file)))
      : Buffer.from(encoded, "base64").toString();
  return text === undefined ? undefined : parseMap(text);
}

function parseMap(text: string): SourceMap | undefined {
  const payload = parsedJson(text);
  return isPayload(payload) ? new SourceMap(payload) : undefined;
}

function readBounded(file: string): string | undefined {
  try {
    const found = statSync(file);
    // Reading a pipe would wait for a writer.
    return found.isFile() && found.size <= maxBytes ? readFileSync(file, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the sources of a compiled file that is on disk. */
export function sourcesOf(file: string): readonly string[] {
  const { sources = [], sourceRoot = "" } = readMap(file)?.payload ?? {};
  return sources.map((source) => pathOf(join(sourceRoot, source), dirname(file)));
}

const isPayload = (value: unknown): value is SourceMapPayload =>
  isObject(value) && Array.isArray(value["sources"]) && typeof value["mappings"] === "string";

/** @param source a path or a URL, relative to the folder */
const pathOf = (source: string, folder: string): string =>
  source.startsWith("file:") ? fileURLToPath(source) : resolve(folder, decodeURI(source));

/** Returns the first place in a formatted stack trace that is in the user's code. */
export function firstUserPosition(
  stack: string,
  sources: SourcePositions,
): SourcePosition | undefined {
  for (const line of stack.split("\n")) {
    const position = positionIn(line);
    if (position !== undefined && isUsersFile(position.file)) return sources.sourceOf(position);
  }
  return undefined;
}

/** Reads a frame such as `at new WatchStack (/app/watch.ts:14:18)`. */
function positionIn(frame: string): SourcePosition | undefined {
  const [, path = "", line, column] =
    /^\s+at (?:.*\()?((?:file:\/\/|[/\\]|[a-zA-Z]:)[^()]*):(\d+):(\d+)\)?$/.exec(frame) ?? [];
  if (line === undefined) return undefined;
  const file = path.startsWith("file:") ? fileURLToPath(path) : path;
  return { file, line: Number(line), column: Number(column) };
}

/** A place in a script, as the inspector of Node.js describes it: lines and columns begin at 0. */
export interface ScriptPlace {
  readonly scriptId: string;
  readonly lineNumber: number;
  readonly columnNumber?: number | undefined;
}

/** Finds places in the sources, for an inspector of this thread or of another one. */
export class CodePlaces {
  readonly #session: Session;
  readonly #files = new Map<string, string>();

  constructor(session: Session) {
    this.#session = session;
    session.on("Debugger.scriptParsed", ({ params: { scriptId, url } }) => {
      this.#files.set(scriptId, url.startsWith("file:") ? fileURLToPath(url) : url);
    });
    session.post("Debugger.enable");
  }

  /** Returns a place in the user's code; undefined for any other. */
  async find(place: ScriptPlace): Promise<SourcePosition | undefined> {
    const { scriptId, lineNumber, columnNumber = 0 } = place;
    const file = this.#files.get(scriptId) ?? "";
    if (!isUsersFile(file)) return undefined;
    // A loader of TypeScript adds the map to the script.
    const code = await new Promise<string>((resolve) => {
      this.#session.post("Debugger.getScriptSource", { scriptId }, (failure, result) => {
        resolve(failure === null ? result.scriptSource : "");
      });
    });
    return sourceIn(code, { file, line: lineNumber + 1, column: columnNumber + 1 });
  }
}
