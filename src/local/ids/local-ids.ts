import type { FaultsOf } from "../service/faults";
import type { Service } from "../service/service";
import type { LocalRequest, RpcStatus } from "./rpc/call";
import { EndpointService } from "./service/endpoint-service";
import { startHttpServer } from "./http-server";
import { LocationService, OperationService, Operations } from "./service/operations";
import { createRouter } from "./routes";
import { readWorld, worldSaver } from "./state-file";
import { emptyWorld, type LocalOperation } from "./service/world";

/** The settings of {@link createLocalIds}. */
export interface LocalIdsSettings {
  /** @default the system's clock */
  readonly clock?: { now(): number } | undefined;
  /**
   * The number of polls (of an operation or its endpoint) after which an operation is done; 0 means
   * that it is done in the first response.
   * @default 2
   */
  readonly pollsUntilDone?: number | undefined;
  /** The duration of an operation in milliseconds. Replaces `pollsUntilDone`. */
  readonly operationDurationMs?: number | undefined;
  /**
   * The maximum number of endpoints per zone and project.
   * @default 10
   */
  readonly quota?: number | undefined;
  /** Receives a line for each change. */
  readonly log?: ((line: string) => void) | undefined;
  /** The file that stores the endpoints across restarts. @default none: they are kept in memory */
  readonly stateFile?: string | undefined;
  /** Failures to inject, for tests. @default none */
  readonly faults?: FaultsOf<LocalRequest> | undefined;
  /** Returns an error with which an operation fails. @default none */
  readonly operationFailure?: ((operation: LocalOperation) => RpcStatus | undefined) | undefined;
}

/** The local back end. */
interface LocalIds {
  /**
   * Listens on a loopback address. Port 0 means any free port.
   *
   * `url` is the base URL for clients, with the trailing `/v1/`.
   */
  listen(address: { readonly port: number; readonly host?: string }): Promise<{ url: string }>;
  /** Closes every connection and stops listening. */
  close(): Promise<void>;
}

/**
 * Creates the local back end: the REST API of the intrusion detection service, on this machine
 * only.
 *
 * @throws Error when the file is not a state file of the local back end
 */
export function createLocalIds(settings: LocalIdsSettings = {}): LocalIds {
  const { clock = { now: Date.now }, stateFile, log = () => undefined } = settings;
  const now = () => clock.now();
  const world = stateFile === undefined ? emptyWorld() : readWorld(stateFile);
  const save = stateFile === undefined ? () => undefined : worldSaver(stateFile, world);
  const operations = new Operations(world, {
    now,
    log,
    pollsUntilDone: settings.pollsUntilDone ?? 2,
    operationDurationMs: settings.operationDurationMs,
    failure: settings.operationFailure ?? (() => undefined),
  });
  const route = createRouter({
    endpoints: new EndpointService(world, operations, { now, log, quota: settings.quota ?? 10 }),
    operations: new OperationService(world, operations),
    locations: new LocationService(),
  });
  const answer = (request: LocalRequest): unknown => {
    operations.settle();
    try {
      return route(request);
    } finally {
      // Before the response is sent: what a client has received is kept even if the process is
      // killed.
      save();
    }
  };
  let service: Service | undefined;
  return {
    async listen({ port, host }) {
      service = await startHttpServer(answer, { port, host, faults: settings.faults });
      return { url: `${service.url}/v1/` };
    },
    async close() {
      await service?.close();
    },
  };
}
