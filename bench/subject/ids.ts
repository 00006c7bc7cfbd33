import { endpoint } from "../../src/core/ids/endpoint/declare";
import { idsProvider } from "../../src/core/ids/provider/declare";
import type { Subject } from "./subject";

export const ids: Subject = {
  name: "ids",
  piece: "endpoint",
  constructs: ["IdsProvider", "Endpoint"],
  importRatio: 1.1,
  settings: {
    declaration: idsProvider,
    values: { project: "demo", zone: "us-central1-f", accessToken: "token" },
  },
  environment: {},
  resources: [
    {
      declaration: endpoint,
      config: (index) => ({
        endpointId: `edge-${index}`,
        network: "projects/demo/global/networks/main",
        severity: "HIGH",
        labels: { team: "network", index: String(index) },
        threatExceptions: ["100001", "100002", "100003"],
      }),
    },
  ],
  applies: false,
  counts: [1, 100, 1_000, 10_000],
  targets: { planUs: 200, memoryMb: 80, buildRatio: 2 },
  synthCounts: [1_000, 5_000, 10_000],
  commandCounts: [1, 100, 1_000],
  check: { probe: "check-endpoint", what: "an endpoint with 99 exceptions", targetUs: 50 },
  configuration: (count) => ({
    provider: { ids: { project: "demo", zone: "us-central1-f", access_token: "token" } },
    resource: {
      ids_endpoint: {
        edge: {
          count,
          endpoint_id: "edge-${count.index}",
          network: "projects/demo/global/networks/main",
          severity: "HIGH",
          labels: { team: "network" },
          threat_exceptions: ["100001", "100002", "100003"],
        },
      },
    },
  }),
};
