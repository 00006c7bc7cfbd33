import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallContext } from "../../../../src/core/http/call-context";
import { createIdsClient } from "../../../../src/core/ids/client/client";
import { type EndpointClient, endpointClient } from "../../../../src/core/ids/endpoint/client";
import { endpoint } from "../../../../src/core/ids/endpoint/declare";
import { idsProvider } from "../../../../src/core/ids/provider/declare";
import type { LocalRequest } from "../../../../src/local/ids/rpc/call";
import type { Fault } from "../../../local/service/answering-faults";
import { createFaultyIds } from "../../../local/ids/faulty-ids";
import type { LocalIdsSettings } from "../../../../src/local/ids/local-ids";
import { provider as definition } from "../../../../src/core/ids/provider-definition";
import { providerRoutes } from "../../../../src/core/provider-kit";
import {
  createTerraformHarness,
  type HarnessDiagnostic,
  startProvider,
  type StartedProvider,
} from "../../../../src/core/provider-kit/testing";
import type { Values } from "../../provider-kit/plan/planning";
import { stateOf } from "../../provider-kit/server/protocol";

export const name = "projects/acme/locations/us-central1-a/endpoints/edge";

/** An endpoint without warnings. */
export const edge = {
  endpointId: "edge",
  network: "projects/acme/global/networks/main",
  severity: "HIGH",
};

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A folder that is removed after the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "ids-provider-"));
  closers.push(() => {
    rmSync(path, { recursive: true });
  });
  return path;
}

/** The local back end, with a record of its requests. */
interface Service {
  readonly url: string;
  readonly requests: LocalRequest[];
  /** `METHOD query` of each mutation, without request IDs. */
  readonly mutations: () => string[];
  /** A client that changes endpoints outside Terraform. */
  readonly outsider: EndpointClient;
  /** Chooses the fault of a request. */
  fault: (request: LocalRequest) => Fault | undefined;
}

export async function startService(settings: LocalIdsSettings = {}): Promise<Service> {
  const requests: LocalRequest[] = [];
  const local = createFaultyIds({
    ...settings,
    faults(request) {
      requests.push(request);
      return service.fault(request);
    },
  });
  const { url } = await local.listen({ port: 0 });
  const outsider = endpointClient(
    createIdsClient({ baseUrl: url, token: undefined, pollIntervalMs: 1 }),
  );
  const service: Service = {
    url,
    requests,
    outsider,
    fault: () => undefined,
    mutations: () =>
      requests
        .filter(({ method }) => method !== "GET")
        .map(({ method, query }) => `${method} ${query.get("updateMask") ?? ""}`.trim()),
  };
  closers.push(() => local.close());
  closers.push(() => outsider.close());
  return service;
}

/** The context of calls outside Terraform. */
export const patience = (): CallContext => ({
  signal: new AbortController().signal,
  deadline: Date.now() + 3_600_000,
});

export interface Ids extends StartedProvider {
  readonly log: readonly string[];
  readonly configured: readonly HarnessDiagnostic[];
}

/** The ids provider in this process, configured. */
export async function startIds(
  config: Values,
  env: Readonly<Record<string, string>> = {},
): Promise<Ids> {
  const log: string[] = [];
  const surroundings = { XDG_STATE_HOME: folder(), ...env };
  const started = await startProvider(providerRoutes(definition, surroundings), {
    env: surroundings,
    onLog: (line) => log.push(line),
  });
  closers.push(started.close);
  const configured = await createTerraformHarness(started).configure(idsProvider, config);
  return { ...started, log, configured };
}

/** The provider configured for a service, with a project and a zone. */
export const connect = (
  service: Service,
  config: Values = {},
  env: Readonly<Record<string, string>> = {},
): Promise<Ids> =>
  startIds(
    {
      project: "acme",
      zone: "us-central1-a",
      cloudIdsCustomEndpoint: service.url,
      pollInterval: "1ms",
      ...config,
    },
    env,
  );

export const endpoints = (ids: Ids) => createTerraformHarness(ids).resource(endpoint);

export const validate = (ids: Ids, config: Values) => endpoints(ids).validate(config);

/** Validates the settings as Terraform does. */
export const validateSettings = (ids: Ids, config: Values) =>
  createTerraformHarness(ids).validate(idsProvider, config);

/** Plans; a null configuration deletes. */
export const plan = (ids: Ids, config: Values | null, prior: Values | null = null) =>
  endpoints(ids).plan(config, prior === null ? undefined : { state: prior });

export async function readEndpoint(ids: Ids, state: Values) {
  const result = await endpoints(ids).read({ state });
  return { state: stateOf(result), diagnostics: result.diagnostics };
}

/** Plans and applies; a null configuration deletes. */
export async function apply(ids: Ids, config: Values | null, prior: Values | null = null) {
  const change = await plan(ids, config, prior);
  if (change.action === undefined) throw new Error(JSON.stringify(change.diagnostics));
  const { stored, diagnostics } = await endpoints(ids).apply(change);
  return { state: stored?.state ?? null, diagnostics };
}

/** Applies what must succeed. */
export async function create(ids: Ids, config: Values = edge, prior: Values | null = null) {
  const { state, diagnostics } = await apply(ids, config, prior);
  expect(diagnostics).toEqual([]);
  if (state === null) throw new Error("there is no state");
  return state;
}

export async function importEndpoint(ids: Ids, id: string) {
  const { stored, diagnostics } = await endpoints(ids).importState(id);
  return { state: stored?.state, diagnostics };
}
