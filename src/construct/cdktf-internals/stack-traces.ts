import type { IResolvable } from "cdktf";

const keepTraces = (): boolean => process.env["TRIVET_STACK_TRACES"] === "1";

const captureNothing = (): void => undefined;

/**
 * Builds a generated binding without a stack trace for each of its attributes.
 *
 * cdktf captures one in the constructor of every reference, which is nearly all the time that a
 * binding takes, and offers no switch. Nothing that runs later is affected: the original is back
 * before this returns. `TRIVET_STACK_TRACES=1` keeps the traces.
 */
export function withoutStackTraces<Built>(build: () => Built): Built {
  if (keepTraces()) return build();
  const property = Object.getOwnPropertyDescriptor(Error, "captureStackTrace");
  if (property?.writable !== true) return build();
  // eslint-disable-next-line @typescript-eslint/unbound-method -- put back as it was
  const original = Error.captureStackTrace;
  Error.captureStackTrace = captureNothing;
  try {
    return build();
  } finally {
    Error.captureStackTrace = original;
  }
}

/** What attributes of a resource or a data source are read from. */
interface Readable {
  interpolationForAttribute(path: string): IResolvable;
}

/** Has the references to attributes that are read later made without a stack trace, too. */
export function readWithoutStackTraces(binding: Readable): void {
  const read = binding.interpolationForAttribute.bind(binding);
  binding.interpolationForAttribute = (path) => withoutStackTraces(() => read(path));
}
