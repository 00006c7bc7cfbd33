import { startBackground } from "../background";
import type { Comparison } from "./comparison";

/** The peer is a provider in Go with the same resource. None is published, so you have to write it. */
export const ids: Comparison = {
  provider: "ids",
  piece: "one endpoint",
  peer: { name: "ids-twin", localName: "ids" },
  target: 0.8,
  async open() {
    const service = await startBackground("serve-ids");
    const [project, zone] = ["demo", "us-central1-f"];
    const configuration = {
      variable: { endpoint_id: { type: "string" } },
      provider: {
        ids: {
          project,
          zone,
          access_token: "token",
          cloud_ids_custom_endpoint: service.facts["url"],
        },
      },
      resource: {
        ids_endpoint: {
          edge: {
            endpoint_id: "${var.endpoint_id}",
            network: `projects/${project}/global/networks/main`,
            severity: "HIGH",
          },
        },
      },
    };
    let run = 0;
    const endpoint = () => `projects/${project}/locations/${zone}/endpoints/edge-${run}`;
    return {
      ours: configuration,
      theirs: configuration,
      environment: {},
      prepare: () => Promise.resolve({ TF_VAR_endpoint_id: `edge-${++run}` }),
      async confirm() {
        // A connection that is kept would be closed by the service while a command blocks this process.
        const headers = { connection: "close" };
        const { ok } = await fetch(new URL(endpoint(), service.facts["url"]), { headers });
        if (!ok) throw new Error(`${endpoint()} was not created`);
      },
      close: () => service.close(),
    };
  },
};
