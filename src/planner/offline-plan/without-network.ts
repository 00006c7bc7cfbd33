import { AsyncLocalStorage } from "node:async_hooks";
import childProcess from "node:child_process";
import dgram from "node:dgram";
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import { Socket } from "node:net";
import workerThreads from "node:worker_threads";

/** A run in which nothing leaves the process. */
interface Run {
  /** True when something has tried to. */
  wasTried: boolean;
}

/** Replaces functions and classes so that they fail inside of a run, and work everywhere else. */
function guard(owner: object, names: RegExp, runs: AsyncLocalStorage<Run>): void {
  const refuse = (): void => {
    const run = runs.getStore();
    if (run === undefined) return;
    run.wasTried = true;
    const message = "an offline plan does not use the network";
    throw Object.assign(new Error(message), { code: "ENETUNREACH" });
  };
  const handler: ProxyHandler<() => unknown> = {
    apply(target, self, args) {
      refuse();
      return Reflect.apply(target, self, args) as unknown;
    },
    construct(target, args, of): object {
      refuse();
      return Reflect.construct(target, args, of) as object;
    },
  };
  for (const name of Object.getOwnPropertyNames(owner).filter((each) => names.test(each))) {
    const original: unknown = Reflect.get(owner, name);
    if (typeof original === "function") {
      Reflect.set(owner, name, new Proxy(original as () => unknown, handler));
    }
  }
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
  guard(Socket.prototype, /^connect$/, runs);
  guard(childProcess.ChildProcess.prototype, /^spawn$/, runs);
  guard(childProcess, /^(?:exec|execFile|spawn)Sync$/, runs);
  guard(dgram.Socket.prototype, /^(?:bind|connect|send|sendto)$/, runs);
  const queries = /^(?:lookup|resolve|reverse)/;
  for (const each of [dns, dns.promises]) {
    guard(each, queries, runs);
    guard(each.Resolver.prototype, queries, runs);
  }
  guard(workerThreads, /^Worker$/, runs);
  syncBuiltinESMExports();
  return runs;
}

/** Replaces the functions before code that is not ours keeps references to them. */
export function guardProcess(): void {
  sharedRuns();
}

/**
 * Runs a function in which no connection is opened, no name is resolved, and no process or thread is started, also in
 * everything that it awaits.
 *
 * The rest of the process is not affected. It is no sandbox: what the function leaves to code that began earlier, such
 * as a timer, is the rest of the process.
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
