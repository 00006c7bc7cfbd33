import { finished } from "node:stream";
import { announceIdle } from "../records/idle";
import { createLogger, type Environment, writeFully } from "../records/logging";
import { redirectStandardOutput } from "../records/standard-output";
import type { ProviderRoutes } from "./connection/provider-grpc";
import { OrphanWatch, type OrphanWatchOptions, PluginProcess } from "./plugin-process";
import { nameOf, type Reattached, startReattach } from "./reattach";

/** A provider that is served, with others or alone. */
export interface ServedProvider {
  /** The provider's source address, such as `example.com/acme/notes`. */
  readonly source: string;
  /** The provider's routes, or a function that creates them. */
  readonly routes: ProviderRoutes;
}

const stdout = 1;

/**
 * Serves providers for several commands of Terraform, one after another or simultaneously, for a parent process that
 * keeps standard input open.
 *
 * Prints one line for the parent: the value of TF_REATTACH_PROVIDERS. When the parent closes standard input
 * or is killed, no further clients can connect, so the process exits after the last connection is closed.
 *
 * @param orphan the time to keep running without a connection once the parent has exited
 */
export async function serveWarm(
  providers: readonly ServedProvider[],
  env: Environment,
  plugin: PluginProcess,
  orphan?: Omit<OrphanWatchOptions, "clock">,
): Promise<void> {
  const { redactor } = plugin;
  const name = providers.map(({ source }) => nameOf(source)).join("+");
  redirectStandardOutput(createLogger({ name, env, redactor }));
  const counts = new Map<string, number>();
  let watch: OrphanWatch | undefined;
  const update = (): void => {
    const open = [...counts.values()].reduce((sum, count) => sum + count, 0);
    if (open === 0) announceIdle();
    watch?.update(open);
  };
  const served: Reattached[] = [];
  for (const { source, routes } of providers) {
    const reattached = await startReattach({
      source,
      routes: crashing(routes, plugin),
      env,
      redactor,
      onConnections: (count) => {
        counts.set(source, count);
        update();
      },
    });
    served.push(reattached);
    plugin.beforeEnd(reattached.close);
  }
  // An interrupt reaches the whole process group. Terraform then calls StopProvider.
  plugin.handleSignals(() => undefined);
  finished(process.stdin.resume(), () => {
    watch = new OrphanWatch(() => plugin.end(0), orphan);
    update();
  });
  writeFully(stdout, `${joined(served)}\n`);
}

/** Joins values of TF_REATTACH_PROVIDERS. */
const joined = (served: readonly Reattached[]): string =>
  `{${served.map(({ env }) => env.TF_REATTACH_PROVIDERS.slice(1, -1)).join(",")}}`;

/** Ends the process with a stack trace if the routes cannot be created, instead of failing every call. */
export function crashing(routes: ProviderRoutes, plugin: PluginProcess): ProviderRoutes {
  if (typeof routes !== "function") return routes;
  return async (host) => {
    try {
      return await routes(host);
    } catch (error) {
      return plugin.crash(error);
    }
  };
}

/**
 * Serves the providers of a project to the Terraform of a parent process, `trivet`, until it ends. Takes over the
 * process, as `serve` does. A handler that ends the process is reported like a crash.
 */
export function serveProject(providers: readonly ServedProvider[]): void {
  const plugin = new PluginProcess(undefined);
  serveWarm(providers, process.env, plugin).catch(plugin.crash);
}
