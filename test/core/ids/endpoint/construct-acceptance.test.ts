import { TerraformStack, Testing } from "cdktf";
import { ids } from "../../../../src";
import { acceptConstructs } from "../../../accept/constructs";
import { endpoint, severities } from "./table";

acceptConstructs({
  name: "ids",
  exported: ids,
  provider: ids.IdsProvider,
  nouns: [endpoint],
  enums: { EndpointSeverity: severities },
});

test("the names of EndpointSeverity are its values", () => {
  expect(Object.entries(ids.EndpointSeverity)).toEqual(severities.map((word) => [word, word]));
});

test("warnings are annotations, each shown once and with a stable ID", () => {
  const stack = new TerraformStack(Testing.app(), "Demo");
  const { node } = new ids.Endpoint(stack, "edge", { endpointId: "edge", severity: "HIGH" });
  const shown = node.metadata.map(({ type, data }) => [type, String(data)]);
  expect(shown).toEqual([
    [
      "@cdktf/warn",
      "network: should be set; the service refuses to create an endpoint without a network [endpoint-without-network]",
    ],
  ]);
});
