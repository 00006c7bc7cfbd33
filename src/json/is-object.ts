/** A value whose properties are looked at by name. */
export type Properties = Readonly<Record<string, unknown>>;

/** Whether a value has properties or elements: an object, a list or an instance of anything. */
export const isRecord = (value: unknown): value is Properties =>
  typeof value === "object" && value !== null;

/** Whether a value is an object as JSON has it: no list, and not null. */
export const isObject = (value: unknown): value is Properties =>
  isRecord(value) && !Array.isArray(value);

/** Whether a value is an object that is no instance of a class. */
export function isPlainObject(value: unknown): value is Properties {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
