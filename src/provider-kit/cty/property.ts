import type { CtyRecord, CtyValue } from "./value";

/** Reads an own property. Names such as `constructor` must not find inherited properties. */
export function readProperty(record: CtyRecord, name: string): CtyValue | undefined {
  return name in Object.prototype && !Object.hasOwn(record, name) ? undefined : record[name];
}
