import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../temporary-folder";
import { StackFixture } from "./stack-fixture";

describe("`trivet plan` without Terraform", () => {
  const project = new StackFixture();
  project.write({ one: {} });

  it("names the variable that chose the missing program", async () => {
    const { code, stderr } = await project.run(["plan"], { TERRAFORM_BINARY_NAME: "terrafrom" });
    expect(code).toBe(127);
    expect(stderr).toContain('The command "terrafrom" does not exist.');
    expect(stderr).toContain("variable TERRAFORM_BINARY_NAME. Correct the variable, or unset it");
  });

  it("says what to install if no variable chose it", async () => {
    const onPath = temporaryFolder();
    symlinkSync(process.execPath, join(onPath, "node"));
    const { code, stderr } = await project.run(["plan"], { PATH: onPath });
    expect(code).toBe(127);
    expect(stderr).toContain('The command "terraform" does not exist.');
    expect(stderr).toContain("Install Terraform 1.5 or newer");
  });
});
