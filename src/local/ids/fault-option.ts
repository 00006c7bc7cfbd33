import type { FaultsOf } from "../service/faults";
import type { LocalRequest } from "./rpc/call";

/** A failure to inject: `POST:503:2` makes the first two POST requests fail with HTTP 503. */
export interface FaultOption {
  readonly method: string;
  readonly status: number;
  /** The number of requests that fail. @default all */
  readonly count: number;
}

/** Parses a fault as it is written on the command line; undefined if it is malformed. */
export function parseFaultOption(text: string): FaultOption | undefined {
  const [, method, status, count] =
    /^(GET|POST|PATCH|DELETE):([45]\d\d)(?::([1-9]\d{0,5}))?$/.exec(text) ?? [];
  if (method === undefined || status === undefined) return undefined;
  return { method, status: Number(status), count: count === undefined ? Infinity : Number(count) };
}

/**
 * Returns the failures of these options. Each request uses up the first option with its method that is left.
 */
export function faultsOfOptions(options: readonly FaultOption[]): FaultsOf<LocalRequest> {
  const left = options.map((option) => ({ ...option }));
  return ({ method }) => {
    const found = left.find((each) => each.method === method && each.count > 0);
    if (found === undefined) return undefined;
    found.count--;
    return { kind: "answer", status: found.status };
  };
}
