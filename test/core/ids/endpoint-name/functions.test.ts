import { providerRoutes } from "../../../../src/core/provider-kit";
import { TerraformProject } from "../../../../src/core/provider-kit/testing";
import { provider } from "../../../../src/core/ids/provider-definition";
import { evaluate } from "../../../evaluate";

let project: TerraformProject;

beforeAll(async () => {
  project = await TerraformProject.open({
    source: "trivet.local/trivet/ids",
    routes: providerRoutes(provider, {}),
  });
});

afterAll(async () => {
  await project.close();
});

const name = "projects/example.com:web/locations/us-central1-f/endpoints/edge";
const parts = { project: "example.com:web", location: "us-central1-f", endpoint_id: "edge" };

test("terraform formats and parses the name of an endpoint", async () => {
  const formatted = `provider::ids::endpoint_name("example.com:web", "us-central1-f", "edge")`;
  expect(await evaluate(project, formatted)).toBe(name);
  expect(await evaluate(project, `provider::ids::parse_endpoint_name("${name}")`)).toEqual(parts);
});

test.each([
  [
    `endpoint_name("p", "us-central1-f", "Edge")`,
    `"endpoint_id" parameter: must start with a lower`,
  ],
  [`endpoint_name("p/q", "us-central1-f", "e")`, `"project" parameter: must consist of letters`],
  [`parse_endpoint_name("edge")`, `"name" parameter: must have the form projects/PROJECT/`],
  [`parse_endpoint_name("/${name}")`, `"name" parameter: must have the form projects/PROJECT/`],
])("terraform refuses %s", async (call, message) => {
  await expect(evaluate(project, `provider::ids::${call}`)).rejects.toThrow(message);
});
