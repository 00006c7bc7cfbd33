import { endpoint } from "../../../../src/core/ids/endpoint/declare";
import { idsProvider } from "../../../../src/core/ids/provider/declare";
import { testFaults } from "../../../../src/core/provider-kit/testing";
import { Service } from "../../../e2e/support/service";
import { buildWhenStale, packagedProvider } from "../../../e2e/support/build";
import { sampleFaults } from "../../../sample-faults";

beforeAll(buildWhenStale);

const edge = {
  endpointId: "edge",
  network: "projects/acme/global/networks/main",
  severity: "HIGH",
  labels: { team: "a" },
};

/** The fields of the service that have the same names in the declaration. */
const shared = ["name", "network", "severity", "labels", "state", "createTime"] as const;

test("no fault at any request of an endpoint doubles it, loses it, or leaves a state that is wrong", async () => {
  const explored = await testFaults({
    executable: packagedProvider("ids"),
    async open() {
      const service = await Service.start({ pollsUntilDone: 1 });
      return { service, services: { ids: service.url }, close: () => service.close() };
    },
    provider: idsProvider,
    settings: ({ urls, isUnanswered }) => ({
      project: "acme",
      zone: "us-central1-a",
      cloudIdsCustomEndpoint: urls["ids"],
      pollInterval: "1ms",
      requestTimeout: isUnanswered ? "1s" : "60s",
    }),
    declaration: endpoint,
    config: () => edge,
    changed: () => ({ ...edge, severity: "LOW", labels: { team: "b" } }),
    choose: sampleFaults,
    objects: async ({ scene }) =>
      (await scene.service.endpoints()).map((found) =>
        Object.fromEntries(shared.map((name) => [name, found[name]])),
      ),
  });
  const methods = explored.map(({ operation, requests }) => [
    operation,
    requests.map(({ method }) => method).join(" "),
  ]);
  expect(Object.fromEntries(methods)).toEqual({
    create: "POST GET GET",
    read: "GET",
    // A change starts with a read of the resource, and merges the labels that others have set.
    update: "GET GET PATCH GET GET",
    delete: "DELETE GET",
  });
  const missed = explored.flatMap((each) => each.missed);
  // With short time-outs, a slow machine may end an operation early.
  expect(missed.filter(({ kind }) => kind !== "no-answer")).toEqual([]);
});
