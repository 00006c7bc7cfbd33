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

/** Replaces functions and classes so that they fail inside a run, and work everywhere else. */
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
 * The runs of this process. Test runners load this module for each test file. All copies share one guard: nested guards
 * would slow down each connection, and keep their test files in memory.
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

/** Installs the guard before other code can keep references to the original functions. */
export function guardProcess(): void {
  sharedRuns();
}

/**
 * Runs a function that can open no connection, resolve no name, and start no process or thread, also in everything
 * that it awaits.
 *
 * The rest of the process is not affected. It is not a sandbox: code that began earlier, such as a timer, is not
 * restricted.
 *
 * @returns the result or the error, and whether the function tried to leave the process
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
