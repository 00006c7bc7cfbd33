import type { IConstruct } from "constructs";
import type { SourcePosition } from "../../planner/changes/construct-place";
import type { ConstructObserver } from "../../core/construct/check/construct-places";
import { firstUserPosition } from "../user-code/stack-text";
import { isUsersFile, type SourcePositions } from "../user-code/source-position";

/** An object with a stack trace. V8 formats it when it is read first. */
interface Place {
  readonly stack?: unknown;
}

/** Records where constructs are created. The places are evaluated when they are read, because that takes longer. */
export class ConstructPositions {
  readonly #places = new Map<IConstruct, Place>();
  readonly #sources: SourcePositions;

  constructor(sources: SourcePositions) {
    this.#sources = sources;
  }

  get size(): number {
    return this.#places.size;
  }

  clear(): void {
    this.#places.clear();
  }

  readonly observe: ConstructObserver = (construct, place) => {
    this.#places.set(construct, place);
  };

  /** Returns the place of each construct by its path in the app. Constructs without one in the user's code are left out. */
  read(): Readonly<Record<string, SourcePosition>> {
    const known = new Map<string, SourcePosition>();
    const positions = [...this.#places].flatMap(([construct, place]) => {
      const position = this.#positionOf(place, known);
      return position === undefined ? [] : [[construct.node.path, position] as const];
    });
    return Object.fromEntries(positions);
  }

  #positionOf(place: Place, known: Map<string, SourcePosition>): SourcePosition | undefined {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- restored unchanged
    const original = Error.prepareStackTrace;
    Error.prepareStackTrace = (_error, sites) => sites;
    // A string if it was formatted before, else the frames.
    const { stack } = place;
    Error.prepareStackTrace = original;
    if (typeof stack === "string") return firstUserPosition(stack, this.#sources);
    const site = (Array.isArray(stack) ? (stack as NodeJS.CallSite[]) : []).find(isUsers);
    if (site === undefined) return undefined;
    const compiled = compiledPosition(site);
    const key = `${compiled.file}:${compiled.line}:${compiled.column}`;
    const position = known.get(key) ?? this.#sourceOf(site, compiled);
    known.set(key, position);
    return position;
  }

  /** Formats the place as the app does, because ts-node, for one, knows its source maps alone. */
  #sourceOf(site: NodeJS.CallSite, compiled: SourcePosition): SourcePosition {
    const format: unknown = Reflect.get(Error, "prepareStackTrace");
    const formatted: unknown =
      typeof format === "function" && Reflect.apply(format, Error, [new Error("place"), [site]]);
    const found =
      typeof formatted === "string" ? firstUserPosition(formatted, this.#sources) : undefined;
    return found ?? this.#sources.sourceOf(compiled);
  }
}

const fileOf = (site: NodeJS.CallSite): string =>
  (site.getFileName() ?? "").replace(/^file:\/\//, "");

const isUsers = (site: NodeJS.CallSite): boolean => isUsersFile(fileOf(site));

const compiledPosition = (site: NodeJS.CallSite): SourcePosition => ({
  file: fileOf(site),
  line: site.getLineNumber() ?? 1,
  column: site.getColumnNumber() ?? 1,
});
