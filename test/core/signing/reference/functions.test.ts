import { providerRoutes } from "../../../../src/core/provider-kit";
import { TerraformProject } from "../../../../src/core/provider-kit/testing";
import { provider } from "../../../../src/core/signing/provider-definition";
import { evaluate } from "../../../evaluate";

let project: TerraformProject;

beforeAll(async () => {
  project = await TerraformProject.open({
    source: "trivet.local/trivet/signing",
    routes: providerRoutes(provider, {}),
  });
});

afterAll(async () => {
  await project.close();
});

const digest = `sha256:${"0a".repeat(32)}`;

test.each([
  [
    "alpine",
    {
      reference: "index.docker.io/library/alpine:latest",
      repository: "index.docker.io/library/alpine",
      registry: "index.docker.io",
      path: "library/alpine",
      tag: "latest",
      digest: null,
    },
  ],
  [
    `Registry.Example:5000/team/app:v1@${digest}`,
    {
      reference: `registry.example:5000/team/app@${digest}`,
      repository: "registry.example:5000/team/app",
      registry: "registry.example:5000",
      path: "team/app",
      tag: null,
      digest,
    },
  ],
])("terraform gets the parts of %s", async (reference, parts) => {
  const call = `provider::signing::parse_reference("${reference}")`;
  expect(await evaluate(project, call)).toEqual(parts);
});

test("terraform names the argument when a reference is invalid", async () => {
  const call = `provider::signing::parse_reference("team/App@sha256:12")`;
  await expect(evaluate(project, call)).rejects.toThrow(`"reference" parameter: must`);
});
