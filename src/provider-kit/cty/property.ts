import type { CtyRecord, CtyValue } from "./value";

/** Reads an own property; names such as `constructor` must not find what every object inherits. */
export function readProperty(record: CtyRecord, name: string): CtyValue | undefined {
  return name in Object.prototype && !Object.hasOwn(record, name) ? undefined : record[name];
}
