/** Reads a member at a path in JSON; undefined if an object or member does not exist. */
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

/** Like {@link readField}, but returns "" if the member is not a string. */
export function readTextField(value: unknown, ...path: readonly string[]): string {
  const found = readField(value, ...path);
  return typeof found === "string" ? found : "";
}
