import { Endpoint as EndpointBinding } from "../../bindings/providers/ids/endpoint";
import { IdsProvider as IdsProviderBinding } from "../../bindings/providers/ids/provider";
import { Endpoint } from "../../src/core/ids/endpoint/construct";
import { IdsProvider } from "../../src/core/ids/provider/construct";
import type { Builders } from "./builders";

const props = (index: number) => ({
  endpointId: `edge-${index}`,
  network: "projects/demo/global/networks/main",
  severity: "HIGH" as const,
  location: "us-central1-f",
  description: `Endpoint number ${index}`,
  labels: { team: "network", index: String(index) },
  threatExceptions: ["100001", "100002", "100003"],
});

const settings = { project: "demo" };

export const ids: Builders = {
  construct(stack, count) {
    new IdsProvider(stack, "ids", settings);
    for (let index = 0; index < count; index++) new Endpoint(stack, `e${index}`, props(index));
  },
  binding(stack, count) {
    new IdsProviderBinding(stack, "ids", settings);
    for (let index = 0; index < count; index++) {
      new EndpointBinding(stack, `e${index}`, props(index));
    }
  },
};
