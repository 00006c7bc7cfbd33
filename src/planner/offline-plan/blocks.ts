import { isObject, type Properties } from "../../core/json/plain-json";

/** The bodies of blocks, which are an object or a list of objects. */
export function bodies(value: unknown): readonly Properties[] {
  if (Array.isArray(value)) return value.flatMap(bodies);
  return isObject(value) ? [value] : [];
}

/** Merges the bodies of blocks of one kind. */
export const merged = (value: unknown): Properties =>
  Object.assign({}, ...bodies(value)) as Properties;

export const without = (body: Properties, names: readonly string[]): Properties =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
