import { isJsonObject, type JsonValue } from "../../../json/json-value";

/** The lines in which the members of objects and lists were written, to name them in messages. */
export class LineIndex {
  readonly #first: number;
  readonly #lines = new WeakMap<object, Map<string, number>>();

  /** @param first the line of the document's value */
  constructor(first: number) {
    this.#first = first;
  }

  /** Remembers the line of a member, by its name or index. */
  set(container: object, name: string, line: number): void {
    const lines = this.#lines.get(container) ?? new Map<string, number>();
    lines.set(name, line);
    this.#lines.set(container, lines);
  }

  /**
   * The line of a field; of the object around it if it is missing.
   *
   * @param path names and indexes, such as `spec.images[0].glob`
   */
  lineOf(value: JsonValue, path: string): number {
    let line = this.#first;
    let rest = path;
    let at = value;
    while (rest !== "") {
      if (typeof at !== "object" || at === null) break;
      const name = isJsonObject(at) ? nameOf(Object.keys(at), rest) : /^\[(\d+)\]/.exec(rest)?.[1];
      if (name === undefined) break;
      line = this.#lines.get(at)?.get(name) ?? line;
      rest = rest.slice(isJsonObject(at) ? name.length : name.length + 2).replace(/^\./, "");
      at = (isJsonObject(at) ? at[name] : at[Number(name)]) ?? null;
    }
    return line;
  }
}

function nameOf(names: readonly string[], path: string): string | undefined {
  return names.find((name) => {
    const next = path.charAt(name.length);
    return path.startsWith(name) && (next === "" || next === "." || next === "[");
  });
}
