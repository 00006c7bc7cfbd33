import { ids } from "../../../../src";
import { endpointSeverities } from "../../../../src/core/ids/endpoint/declare";

test("EndpointSeverity has every declared value, in the declared order", () => {
  expect(Object.values(ids.EndpointSeverity)).toEqual(Object.keys(endpointSeverities));
});
