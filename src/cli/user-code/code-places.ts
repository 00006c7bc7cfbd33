import type { Session } from "node:inspector";
import { fileURLToPath } from "node:url";
import type { SourcePosition } from "../../planner/changes/construct-place";
import { isUsersFile, sourceIn } from "./source-position";

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
