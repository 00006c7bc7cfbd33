import {
  DataResource,
  TerraformLocal,
  TerraformStack,
  TerraformVariable,
  Testing,
  VariableType,
} from "cdktf";
import * as fc from "fast-check";
import { workspace } from "../../../../src";
import { WorkspaceTemplateStack } from "../../../../stacks/workspace-template-stack";
import { declared } from "../template/property/construct-side";
import { validTemplate } from "../template/property/template";
import { previewProblems } from "./previewed";

describe.each(Object.values(workspace.products))("for $name, native syntax has", (product) => {
  test("all that the platform reads of the demo stack", async () => {
    const stack = new WorkspaceTemplateStack(Testing.app(), "demo", { product });
    expect(await previewProblems(stack)).toEqual([]);
  });

  test("what a parameter refers to, directly or indirectly", async () => {
    const stack = new TerraformStack(Testing.app(), "demo");
    new workspace.WorkspaceProvider(stack, "workspace", { product });
    const regions = new TerraformVariable(stack, "regions", {
      type: VariableType.list("string"),
      default: ["${eu}", 'u"s'],
      description: "Where: 100% ${here}",
      validation: [{ condition: "${length(var.regions) > 0}", errorMessage: "Not %%{none}" }],
    });
    const me = new workspace.DataWorkspaceOwner(stack, "me");
    const first = new TerraformLocal(stack, "first", `\${${regions.fqn}[0]}`);
    const deep = new TerraformLocal(stack, "deep", { names: [me.name, first.asString], n: 1e21 });
    const unused = new TerraformLocal(stack, "unused", "x");
    const region = new workspace.DataParameter(stack, "region", {
      name: "region",
      description: `A\n"region" of \${jsonencode(${deep.fqn})}`,
      default: first.asString,
      dependsOn: [me],
    });
    new workspace.DataWorkspacePreset(stack, "near", { name: "Near" }).set(region, "us");
    new DataResource(stack, "machine", {
      input: { region: region.value, unused: unused.asString },
    });
    expect(await previewProblems(stack)).toEqual([]);
  });
});

test("native syntax has all that the platform reads of any template", async () => {
  const templates = fc.sample(validTemplate({ open: true }), { seed: 7, numRuns: 40 });
  for (const template of templates) {
    const { stack } = declared(template);
    expect(await previewProblems(stack)).toEqual([]);
  }
});
