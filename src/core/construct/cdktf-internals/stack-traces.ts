import type { IResolvable } from "cdktf";

const keepTraces = (): boolean => process.env["TRIVET_STACK_TRACES"] === "1";

const captureNothing = (): void => undefined;

/**
 * Creates a generated binding without a stack trace for each of its attributes.
 *
 * cdktf captures one in the constructor of every reference and has no option to turn this off. It takes
 * nearly all of the time of a binding. The original function is restored before this returns.
 *
 * `TRIVET_STACK_TRACES=1` keeps the traces.
 */
export function withoutStackTraces<Built>(build: () => Built): Built {
  if (keepTraces()) return build();
  const property = Object.getOwnPropertyDescriptor(Error, "captureStackTrace");
  if (property?.writable !== true) return build();
  // eslint-disable-next-line @typescript-eslint/unbound-method -- restored unchanged
  const original = Error.captureStackTrace;
  Error.captureStackTrace = captureNothing;
  try {
    return build();
  } finally {
    Error.captureStackTrace = original;
  }
}

/** The part of a resource or a data source that attributes are read from. */
interface Readable {
  interpolationForAttribute(path: string): IResolvable;
}

/** Also creates references to attributes that are read later without a stack trace. */
export function readWithoutStackTraces(binding: Readable): void {
  const read = binding.interpolationForAttribute.bind(binding);
  binding.interpolationForAttribute = (path) => withoutStackTraces(() => read(path));
}
