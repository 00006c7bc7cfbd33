import { finished } from "node:stream";
import { tellIdle } from "./idle";
import type { Environment } from "./log/log-level";
import { createLogger } from "./log/logging";
import { redirectStandardOutput } from "./log/standard-output";
import { writeFully } from "./log/write-fully";
import { OrphanWatch, type OrphanWatchOptions } from "./orphan-watch";
import type { PluginProcess } from "./plugin-process";
import { type ReattachOptions, startReattach } from "./reattach";

/** The settings of {@link serveWarm}. */
interface WarmOptions extends ReattachOptions {
  readonly env: Environment;
  readonly plugin: PluginProcess;
  /** The time to keep running without a connection once the parent has exited. */
  readonly orphan: Omit<OrphanWatchOptions, "clock"> | undefined;
}

const stdout = 1;

/**
 * Serves several commands of Terraform, one after another or simultaneously, for a parent process that keeps
 * standard input open.
 *
 * Prints one line for the parent: the value of TF_REATTACH_PROVIDERS. When the parent closes standard input
 * or is killed, no further clients can connect, so the provider exits after the last connection is closed.
 */
export async function serveWarm(options: WarmOptions): Promise<void> {
  const { source, env, redactor, plugin, orphan } = options;
  redirectStandardOutput(createLogger({ name: nameOf(source), env, redactor }));
  let open = 0;
  let watch: OrphanWatch | undefined;
  const reattached = await startReattach({
    ...options,
    onConnections: (count) => {
      open = count;
      if (count === 0) tellIdle();
      watch?.update(count);
    },
  });
  plugin.beforeEnd(reattached.close);
  // An interrupt reaches the whole process group. Terraform then calls StopProvider.
  plugin.handleSignals(() => undefined);
  finished(process.stdin.resume(), () => {
    watch = new OrphanWatch(() => plugin.end(0), orphan);
    watch.update(open);
  });
  writeFully(stdout, `${reattached.env.TF_REATTACH_PROVIDERS}\n`);
}

const nameOf = (source: string): string => source.slice(source.lastIndexOf("/") + 1);
