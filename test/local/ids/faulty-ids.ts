import {
  idsHandler,
  injectedFailure,
  type LocalIdsSettings,
  serveIds,
} from "../../../src/local/ids/local-ids";
import type { LocalRequest } from "../../../src/local/ids/rpc/call";
import { answering, type Fault, type FaultsOf } from "../service/answering-faults";

export interface FaultyIdsSettings extends LocalIdsSettings {
  /** @default none */
  readonly faults?: FaultsOf<LocalRequest> | undefined;
}

/** The local back end, with faults. */
export function createFaultyIds({ faults, ...settings }: FaultyIdsSettings) {
  const handler = idsHandler(settings);
  const isForHint = ({ method, path }: LocalRequest) => method === "GET" && path === "/";
  return serveIds(
    answering({
      ...handler,
      faults: (request) => (isForHint(request) ? undefined : inErrorModel(faults?.(request))),
    }),
  );
}

/** Adds a body in Google's error model to a fault that responds, unless it has a body. */
function inErrorModel(fault: Fault | undefined): Fault | undefined {
  if (fault?.kind !== "answer") return fault;
  const { headers, body } = injectedFailure(fault.status);
  return { ...fault, headers: { ...headers, ...fault.headers }, body: fault.body ?? body };
}
