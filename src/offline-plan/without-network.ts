import { AsyncLocalStorage } from "node:async_hooks";
import { ChildProcess } from "node:child_process";
import { Socket } from "node:net";

/** A run in which nothing leaves the process. */
interface Run {
  /** True when something has tried to. */
  wasTried: boolean;
}

const runs = new AsyncLocalStorage<Run>();

/** Thrown where a connection or a process is started. */
class NetworkNotAllowedError extends Error {
  readonly code = "ENETUNREACH";

  constructor() {
    super("an offline plan does not use the network");
  }
}

/** Replaces a method so that it fails inside of a run, and works everywhere else. */
function guard<Name extends string>(prototype: Record<Name, unknown>, name: Name): void {
  const original = prototype[name];
  if (typeof original !== "function") throw new Error(`${name} is no method`);
  prototype[name] = function guarded(this: unknown, ...args: unknown[]): unknown {
    const run = runs.getStore();
    if (run === undefined) return Reflect.apply(original, this, args) as unknown;
    run.wasTried = true;
    throw new NetworkNotAllowedError();
  };
}

let isGuarded = false;

/**
 * Runs a function in which no connection is opened and no process is started, also in everything that it awaits.
 *
 * The rest of the process is not affected.
 *
 * @returns its result, or its error, and whether something tried to leave the process
 */
export async function withoutNetwork<T>(
  run: () => T | Promise<T>,
): Promise<
  { readonly wasTried: boolean } & ({ readonly result: T } | { readonly error: unknown })
> {
  if (!isGuarded) {
    isGuarded = true;
    guard(Socket.prototype as unknown as Record<"connect", unknown>, "connect");
    guard(ChildProcess.prototype as unknown as Record<"spawn", unknown>, "spawn");
  }
  const state: Run = { wasTried: false };
  try {
    const result = await runs.run(state, run);
    return { wasTried: state.wasTried, result };
  } catch (error) {
    return { wasTried: state.wasTried, error };
  }
}
