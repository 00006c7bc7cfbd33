import { createLogger, type Environment, writeFully } from "../records/logging";
import { redirectStandardOutput } from "../records/standard-output";
import { isListenError } from "./connection/address";
import { createCertificate } from "./connection/certificate";
import { handshakeLine, type Invitation, readInvitation } from "./connection/handshake";
import type { ProviderRoutes } from "./connection/provider-grpc";
import { startServer } from "./connection/provider-server";
import { isEmbedded } from "./embed";
import {
  OrphanWatch,
  type OrphanWatchOptions,
  PluginProcess,
  type ProviderIdentity,
  usageText,
  versionText,
} from "./plugin-process";
import { startReattach } from "./reattach";
import { crashing, serveWarm } from "./serve-warm";

/** The settings of {@link serve}. */
export interface ServeOptions extends ProviderIdentity {
  /** The provider's routes, or a function that creates them after the handshake. */
  readonly routes: ProviderRoutes;
  /** The command line arguments. @default process.argv without node and script */
  readonly args?: readonly string[] | undefined;
  /** @default process.env */
  readonly env?: Environment | undefined;
  /** The time to keep running without a connection. */
  readonly orphan?: Omit<OrphanWatchOptions, "clock"> | undefined;
}

const stdout = 1;
const stderr = 2;

/** The longest wait until the response to `Shutdown` has been sent. */
const shutdownMs = 100;

/**
 * The main function of a provider: serves Terraform, or prints a usage text.
 *
 * Takes over the process: the console and standard output go to the log, an uncaught error ends the
 * process with exit code 2, and the process exits when Terraform has finished or disappeared.
 */
export function serve(options: ServeOptions): void {
  if (isEmbedded(options)) return;
  const { args = process.argv.slice(2), env = process.env } = options;
  if (args.includes("--help") || args.includes("-h")) print(stdout, usageText(options), 0);
  if (args.includes("--version")) print(stdout, versionText(options), 0);

  const plugin = new PluginProcess(options);
  const failed = (error: unknown): never =>
    isListenError(error) ? refuse(options, error.message) : plugin.crash(error);
  if (args.includes("--reattach")) {
    serveReattached(options, env, plugin).catch(plugin.crash);
    return;
  }
  if (args.includes("--warm")) {
    serveWarm([options], env, plugin, options.orphan).catch(failed);
    return;
  }
  const invitation = readInvitation(env);
  if (invitation === undefined) print(stderr, usageText(options), 1);
  if ("refusal" in invitation) refuse(options, invitation.refusal);
  serveInvited(options, env, plugin, invitation).catch(failed);
}

async function serveInvited(
  options: ServeOptions,
  env: Environment,
  plugin: PluginProcess,
  invitation: Invitation,
): Promise<void> {
  const logger = createLogger({ name: options.name, env, redactor: plugin.redactor });
  redirectStandardOutput(logger);
  const client = invitation.clientCertificate;
  const tls = client === undefined ? undefined : { own: createCertificate(), client };
  const watch = new OrphanWatch(() => {
    logger.warn("Terraform has disconnected");
    plugin.end(0);
  }, options.orphan);
  const server = await startServer({
    routes: crashing(options.routes, plugin),
    env,
    tls,
    logger,
    onConnections: watch.update,
    onShutdown: (call) => {
      server.address.remove();
      const end = (): void => plugin.end(0);
      // After the turn in which the stream was closed, so that its last bytes have been sent.
      call.onClosed(() => setImmediate(end));
      setTimeout(end, shutdownMs).unref();
    },
  });
  plugin.beforeEnd(server.address.remove);
  const { network, address } = server.address;
  try {
    writeFully(stdout, handshakeLine(network, address, tls?.own.der));
  } catch {
    // The process that started this one has already ended.
    plugin.end(1);
  }
  // An interrupt reaches the whole process group. Terraform then calls StopProvider.
  plugin.handleSignals(() => {
    logger.debug("Ignoring an interrupt, which Terraform handles");
  });
  server.prepare();
}

async function serveReattached(
  options: ServeOptions,
  env: Environment,
  plugin: PluginProcess,
): Promise<void> {
  const { source } = options;
  const { redactor } = plugin;
  const routes = crashing(options.routes, plugin);
  const reattached = await startReattach({ source, routes, env, redactor });
  plugin.beforeEnd(reattached.close);
  plugin.handleSignals(() => plugin.end(0));
  const quoted = reattached.env.TF_REATTACH_PROVIDERS.replaceAll("'", "'\\''");
  writeFully(stdout, `TF_REATTACH_PROVIDERS='${quoted}'\n`);
  writeFully(
    stderr,
    `Serving ${source}. Set the variable above for Terraform. Press Ctrl-C to stop.\n`,
  );
}

/** What `process.exit` is before {@link PluginProcess} reports its use. */
const exit: (code: number) => never = process.exit.bind(process);

/** The time that Terraform has to read why the provider cannot start. Then it kills the process. */
const refusalMs = 2000;

/**
 * Ends the process because it cannot serve. Without a handshake, Terraform shows the first line of
 * standard output, and nothing from standard error. It stops reading when the process has exited.
 */
function refuse({ name }: ProviderIdentity, text: string): never {
  writeFully(stdout, `The ${name} provider cannot start. ${text}\n`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, refusalMs);
  exit(1);
}

function print(descriptor: number, text: string, exitCode: number): never {
  try {
    writeFully(descriptor, text);
  } finally {
    exit(exitCode);
  }
}
