import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StackFixture } from "./stack-fixture";

describe("a state that Terraform cannot read", () => {
  const project = new StackFixture();
  const state = join(project.root, "terraform.one.tfstate");
  const stack = { resource: { terraform_data: { one: {} } } };

  beforeEach(() => {
    rmSync(join(project.root, "cdktf.out"), { recursive: true, force: true });
    project.write({ one: stack });
  });

  it("is to be restored from its backup, in a stack that is initialised and in one that is not", async () => {
    writeFileSync(state, '{"version": 4, "terra');
    writeFileSync(`${state}.backup`, "{}");
    const first = await project.run(["plan"]);
    rmSync(state);
    expect(await project.run(["plan"])).toMatchObject({ code: 0 });
    writeFileSync(state, '{"version": 4, "terra');
    const later = await project.run(["plan"]);
    for (const { code, stderr } of [first, later]) {
      expect(code).toBe(1);
      expect(stderr).toContain("Error: The state cannot be read");
      expect(stderr).toContain(
        `Restore a backup of ${state}. ${state}.backup is the state before the last change`,
      );
      expect(stderr).toContain("could not be parsed as JSON: syntax error at byte offset 21");
      expect(stderr).not.toMatch(/-lock=false|state lock/);
    }
  });

  it("needs another Terraform if a newer one has written it", async () => {
    const content = { version: 5, terraform_version: "1.99.0", serial: 1, lineage: "one" };
    writeFileSync(state, JSON.stringify(content));
    const { code, stderr } = await project.run(["plan"]);
    expect(code).toBe(1);
    expect(stderr).toContain("Use the version of Terraform that wrote it, or a newer one.");
    expect(stderr).toContain("The state file uses format version 5");
    expect(stderr).not.toMatch(/-lock=false|backup/);
  });

  it("needs a backup from elsewhere if Terraform has left none", async () => {
    rmSync(`${state}.backup`, { force: true });
    writeFileSync(state, "lost");
    const { code, stderr } = await project.run(["plan"]);
    expect(code).toBe(1);
    expect(stderr).toContain(`Restore a backup of ${state}. Terraform has left none next to it.`);
  });
});
