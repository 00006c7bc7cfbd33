import { Testing } from "cdktf";
import { workspace } from "../../src";
import { WorkspaceTemplateStack } from "../../stacks/workspace-template-stack";
import { synthesized } from "../ids/synthesized";

const { trivet, coder } = workspace.products;

test.each([
  { name: "trivet", product: trivet, warnings: [] },
  { name: "coder", product: coder, warnings: [/^env: needs a release of coder's provider after/] },
])(
  "the template synthesizes for $name, with only the warning about an unreleased provider",
  ({ product, warnings }) => {
    const stack = new WorkspaceTemplateStack(Testing.app(), "workspace-template", { product });
    expect(synthesized(stack)).toMatchSnapshot();
    const notes = stack.node.findAll().flatMap(({ node }) => node.metadata);
    const warned = notes
      .filter(({ type }) => type === "@cdktf/warn")
      .map(({ data }) => String(data));
    expect(warned).toEqual(warnings.map((message) => expect.stringMatching(message) as string));
  },
);

test("parameters use every form control", () => {
  const stack = new WorkspaceTemplateStack(Testing.app(), "workspace-template");
  const { data } = synthesized(stack) as {
    readonly data: { readonly workspace_parameter: Record<string, { form_type: string }> };
  };
  const used = Object.values(data.workspace_parameter).map(({ form_type: form }) => form);
  const forms = new Set<string>(Object.values(workspace.ParameterFormType));
  forms.delete(workspace.ParameterFormType.ERROR);
  expect(new Set(used)).toEqual(forms);
});
