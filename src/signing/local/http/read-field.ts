/** A member of a JSON object; undefined when there is no such object or no such member of its own. */
export function readField(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) {
      return undefined;
    }
    found = Reflect.get(found, name);
  }
  return found;
}

/** The same when it is text, else "". */
export function readTextField(value: unknown, ...path: readonly string[]): string {
  const found = readField(value, ...path);
  return typeof found === "string" ? found : "";
}
