import { Testing } from "cdktf";
import { ids } from "../../src";
import { IdsDemoStack } from "../../stacks/ids-demo-stack";
import { synthesized } from "../core/ids/synthesized";

test("the demo stack synthesizes without warnings", () => {
  const stack = new IdsDemoStack(Testing.app(), "ids-demo", {
    serviceUrl: "http://127.0.0.1:8080/v1/",
  });
  expect(synthesized(stack)).toMatchSnapshot();
  const notes = stack.node.findAll().flatMap(({ node }) => node.metadata);
  expect(notes.filter(({ type }) => type === "@cdktf/warn")).toEqual([]);
});

test("a run can change the severity, and move the edge endpoint", () => {
  const stack = new IdsDemoStack(Testing.app(), "ids-demo", {
    location: "us-central1-a",
    severity: ids.EndpointSeverity.LOW,
  });
  expect(synthesized(stack)["resource"]).toMatchObject({
    ids_endpoint: { edge: { location: "us-central1-a", severity: "LOW" } },
  });
});
