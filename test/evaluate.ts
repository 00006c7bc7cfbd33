import type { TerraformProject } from "../src/core/provider-kit/testing";

/** The value of an expression in Terraform. */
export async function evaluate(project: TerraformProject, expression: string): Promise<unknown> {
  await project.write(`output "result" {
    value     = ${expression}
    sensitive = true
  }`);
  await project.apply();
  return (await project.outputs())["result"];
}
