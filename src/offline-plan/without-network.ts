import { AsyncLocalStorage } from "node:async_hooks";
import { ChildProcess } from "node:child_process";
import { Socket } from "node:net";

/** A run in which nothing leaves the process. */
interface Run {
  /** True when something has tried to. */
  wasTried: boolean;
}

/** Thrown where a connection or a process is started. */
class NetworkNotAllowedError extends Error {
  readonly code = "ENETUNREACH";

  constructor() {
    super("an offline plan does not use the network");
  }
}

/** Replaces a method so that it fails inside of a run, and works everywhere else. */
function guard<Name extends string>(
  prototype: Record<Name, unknown>,
  name: Name,
  runs: AsyncLocalStorage<Run>,
): void {
  const original = prototype[name];
  if (typeof original !== "function") throw new Error(`${name} is no method`);
  prototype[name] = function guarded(this: unknown, ...args: unknown[]): unknown {
    const run = runs.getStore();
    if (run === undefined) return original.apply(this, args) as unknown;
    run.wasTried = true;
    throw new NetworkNotAllowedError();
  };
}

const key = Symbol.for("trivet.runs-without-network");

/**
 * The runs of this process. Test runners load this module again for each test file: all copies share one guard, because
 * another around it would slow down each connection, and keep its test file in memory.
 */
function sharedRuns(): AsyncLocalStorage<Run> {
  const holder: Socket & { [key]?: AsyncLocalStorage<Run> } = Socket.prototype;
  if (holder[key] !== undefined) return holder[key];
  const runs = new AsyncLocalStorage<Run>();
  Object.defineProperty(holder, key, { value: runs });
  guard(Socket.prototype as unknown as Record<"connect", unknown>, "connect", runs);
  guard(ChildProcess.prototype as unknown as Record<"spawn", unknown>, "spawn", runs);
  return runs;
}

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
  const state: Run = { wasTried: false };
  try {
    const result = await sharedRuns().run(state, run);
    return { wasTried: state.wasTried, result };
  } catch (error) {
    return { wasTried: state.wasTried, error };
  }
}
