import type { IResolvable } from "cdktf";

/** A value without the properties that are there but undefined, and with arrays of its own. */
export type Given<Value> = Value extends IResolvable
  ? Value
  : Value extends readonly (infer Element)[]
    ? Given<Element>[]
    : Value extends object
      ? { [Name in keyof Value]: Given<Exclude<Value[Name], undefined>> }
      : Value;

/** Copies what a user wrote, without what is undefined; tokens and instances stay the same. */
export function given<Value>(value: Value): Given<Value> {
  // The type says what the function does, step by step; the compiler cannot check a recursive one.
  return copied(value) as Given<Value>;
}

function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (typeof value !== "object" || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype || "resolve" in value) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    if (inner !== undefined) copy[name] = copied(inner);
  }
  return copy;
}
