import type { IResolvable } from "cdktf";

/** A value without properties that are undefined, and with mutable copies of its arrays. */
export type Given<Value> = Value extends IResolvable
  ? Value
  : Value extends readonly (infer Element)[]
    ? Given<Element>[]
    : Value extends object
      ? { [Name in keyof Value]: Given<Exclude<Value[Name], undefined>> }
      : Value;

/** Copies a value without properties that are undefined. Tokens and class instances are not copied. */
export function given<Value>(value: Value): Given<Value> {
  // The compiler cannot check that the recursive function matches the recursive type.
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

/**
 * The properties of a construct, or none where a caller in JavaScript left them out. The checks then report
 * those that are required.
 */
export function orNone<Props extends object>(props: Props | null | undefined): Props {
  return props ?? ({} as Props);
}
