import { Testing } from "cdktf";
import { workspace } from "@trivet/constructs";
import { DevStack, type DevStackProps } from "./dev-stack";

interface Synthesized {
  readonly data: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
}

/** What Terraform reads. With `true`, all rules across the template are checked as well. */
function synthesized(props?: DevStackProps): Synthesized {
  const stack = new DevStack(Testing.app(), "dev", props);
  return JSON.parse(Testing.synth(stack, true)) as Synthesized;
}

test("its parameters and resources stay as they are", () => {
  const { data, resource } = synthesized();
  expect({ data, resource }).toMatchSnapshot();
});

test("is a template for coder too", () => {
  const { data, resource } = synthesized({ product: workspace.products.coder });
  expect(resource).toHaveProperty("coder_agent.main");
  expect(data).toHaveProperty("coder_parameter.cores");
});
