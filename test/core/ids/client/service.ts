import { ApiError } from "../../../../src/core/ids/client/api-error";
import type { CallContext } from "../../../../src/core/http/call-context";
import { createIdsClient, type IdsClientSettings } from "../../../../src/core/ids/client/client";
import { type EndpointClient, endpointClient } from "../../../../src/core/ids/endpoint/client";
import type { LocalRequest } from "../../../../src/local/ids/rpc/call";
import type { Fault } from "../../../local/service/answering-faults";
import { createFaultyIds } from "../../../local/ids/faulty-ids";
import type { LocalIdsSettings } from "../../../../src/local/ids/local-ids";
import { closeAfterTest } from "../../http/close-after-test";
import { VirtualClock } from "../../http/virtual-clock";

export const parent = "projects/acme/locations/us-central1-a";
export const name = `${parent}/endpoints/edge`;
export const network = "https://www.googleapis.com/compute/v1/projects/acme/global/networks/main";

export interface Service {
  readonly clock: VirtualClock;
  readonly client: EndpointClient;
  /** Every request that reached the service. */
  readonly requests: LocalRequest[];
  readonly logged: string[];
  readonly url: string;
  readonly options: CallContext;
  /** Chooses the fault of a request by its number (from 1). */
  fault: (request: LocalRequest, number: number) => Fault | undefined;
}

/** The client and the local back end with the same virtual clock, connected by a real socket. */
export async function startService(
  settings: { local?: LocalIdsSettings; client?: Partial<IdsClientSettings> } = {},
): Promise<Service> {
  const clock = new VirtualClock();
  const requests: LocalRequest[] = [];
  const local = createFaultyIds({
    clock,
    ...settings.local,
    faults: (request) => {
      requests.push(request);
      return service.fault(request, requests.length);
    },
  });
  const { url } = await local.listen({ port: 0 });
  const { client, logged } = connect(url, { clock, ...settings.client });
  closeAfterTest(() => local.close());
  const service: Service = {
    clock,
    client,
    requests,
    logged,
    url,
    options: { signal: new AbortController().signal, deadline: clock.now() + 3_600_000 },
    fault: () => undefined,
  };
  return service;
}

export function connect(baseUrl: string, settings: Partial<IdsClientSettings>) {
  const logged: string[] = [];
  const client = endpointClient(
    createIdsClient({
      baseUrl,
      token: undefined,
      random: () => 0.5,
      log: {
        debug: (message, fields) => logged.push(JSON.stringify({ message, ...fields })),
        warn: (message, fields) => logged.push(JSON.stringify({ message, ...fields })),
      },
      ...settings,
    }),
  );
  closeAfterTest(() => client.close());
  return { client, logged };
}

/** Returns the error with which a call fails. */
export async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  try {
    await call;
  } catch (failure) {
    if (failure instanceof ApiError) return failure;
    throw failure;
  }
  throw new Error("the call did not fail");
}
