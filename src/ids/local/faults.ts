import type { LocalRequest } from "./rpc/call";

/**
 * What goes wrong with a request, for tests.
 *
 * "reset …" closes the connection before any answer, "hang" works and never answers. An answer with a
 * status replaces the real one; the request has no effect unless `afterEffect` says so.
 */
export type Fault =
  | "reset before effect"
  | "reset after effect"
  | "hang"
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly afterEffect?: boolean;
    };

/** Asked once for every request that reaches the API; undefined lets it pass. */
export type Faults = (request: LocalRequest) => Fault | undefined;
