import { Testing } from "cdktf";
import { workspace } from "../../src";
import { WorkspaceTemplateStack } from "../../stacks/workspace-template-stack";
import { synthesized } from "../core/ids/synthesized";

const { trivet, coder } = workspace.products;

test.each([
  { name: "trivet", product: trivet },
  { name: "coder", product: coder },
])("the template synthesizes for $name, without a warning", ({ product }) => {
  const stack = new WorkspaceTemplateStack(Testing.app(), "workspace-template", { product });
  expect(synthesized(stack)).toMatchSnapshot();
  const notes = stack.node.findAll().flatMap(({ node }) => node.metadata);
  expect(notes.filter(({ type }) => type === "@cdktf/warn")).toEqual([]);
});

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
