/** The address of the endpoint in the steps. */
export const address = "ids_endpoint.edge";

/** Its import ID. */
export const importId = "projects/demo/locations/us-central1-f/endpoints/edge";

const severities = ["HIGH", "LOW", "MEDIUM", "CRITICAL"];

/** The configurations of a test with this many steps: an endpoint that each step changes. */
export const configurations = (url: string, steps: number): readonly object[] =>
  Array.from({ length: steps }, (_, step) => ({
    provider: {
      ids: {
        project: "demo",
        zone: "us-central1-f",
        access_token: "token",
        cloud_ids_custom_endpoint: url,
      },
    },
    resource: {
      ids_endpoint: {
        edge: {
          endpoint_id: "edge",
          network: "projects/demo/global/networks/main",
          severity: severities[step % severities.length],
          description: `step ${step}`,
        },
      },
    },
  }));
