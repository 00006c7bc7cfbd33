import type { FaultsOf } from "../../local-service/faults";
import type { Service } from "../../local-service/service";
import type { LocalRequest } from "./rpc/call";
import { EndpointService } from "./service/endpoint-service";
import { startHttpServer } from "./http-server";
import { LocationService } from "./service/location-service";
import { OperationService } from "./service/operation-service";
import { Operations } from "./service/operations";
import { createRouter } from "./routes";
import type { RpcStatus } from "./rpc/rpc-error";
import { readWorld, worldSaver } from "./state-file";
import { emptyWorld, type LocalOperation } from "./service/world";

export interface LocalIdsSettings {
  /** @default the system's */
  readonly clock?: { now(): number } | undefined;
  /**
   * The poll of an operation, or of its endpoint, that finds it done; 0: done in the first answer.
   * @default 2
   */
  readonly pollsUntilDone?: number | undefined;
  /** When set, time decides instead of polls. */
  readonly operationDurationMs?: number | undefined;
  /**
   * Endpoints in one zone of one project.
   * @default 10
   */
  readonly quota?: number | undefined;
  /** Gets a line for each change. */
  readonly log?: ((line: string) => void) | undefined;
  /** Where everything is kept, so that it survives a restart. */
  readonly stateFile?: string | undefined;
  readonly faults?: FaultsOf<LocalRequest> | undefined;
  /** Lets an operation end with an error instead of its effect. */
  readonly operationFailure?: ((operation: LocalOperation) => RpcStatus | undefined) | undefined;
}

export interface LocalIds {
  /**
   * Listens on a loopback address; port 0 is any free one.
   *
   * `url` is the base for clients, with the trailing `/v1/`.
   */
  listen(address: { readonly port: number; readonly host?: string }): Promise<{ url: string }>;
  /** Drops every connection and stops listening. */
  close(): Promise<void>;
}

/**
 * The embedded back end: the REST API of the intrusion detection service, on this machine only.
 *
 * @throws Error when the state file holds something else.
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
      // Before the answer: what a client was told is kept even if we are killed next.
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
