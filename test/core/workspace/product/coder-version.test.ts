import { Testing, TerraformStack } from "cdktf";
import { workspace } from "../../../../src";

const { coder } = workspace;

function problems(version: string | undefined, build: (stack: TerraformStack) => void): string {
  const stack = new TerraformStack(Testing.app(), "Demo");
  new workspace.WorkspaceProvider(stack, "workspace", { product: coder({ version }) });
  build(stack);
  try {
    Testing.synth(stack, true);
    return "";
  } catch (error) {
    return String(error);
  }
}

/** A preset with a value for no parameter, which only some versions refuse. */
const unknownParameter = (stack: TerraformStack) =>
  new workspace.DataWorkspacePreset(stack, "large", { name: "Large", parameters: { cpu: "1" } });

/** A feature of newer versions. */
const hiddenApp = (stack: TerraformStack) => {
  const agent = new workspace.Agent(stack, "main", { os: "linux", arch: "amd64" });
  agent.addApp("web", { url: "http://localhost:8080", hidden: true });
};

it("chooses the rules of its version, the newest by default", () => {
  expect(problems(undefined, unknownParameter)).toBe("");
  expect(problems("2.31", unknownParameter)).toBe("");
  expect(problems("2.26.1", unknownParameter)).toMatch(
    /refuses the template.* \(as of coder 2\.25, seen with 2\.26\)/,
  );
});

it("refuses what its version lacks", () => {
  expect(problems("2.16", hiddenApp)).toBe("");
  expect(problems("2.15.3", hiddenApp)).toContain(
    "needs version 2.16 of the platform, for hidden apps (the target of Demo/workspace is version 2.15.3)",
  );
});

it("is the same product for the same version, and otherwise another one", () => {
  expect(coder()).toBe(workspace.products.coder);
  expect(coder({ version: "2.26" })).toBe(coder({ version: "2.26" }));
  const stack = new TerraformStack(Testing.app(), "Demo");
  new workspace.WorkspaceProvider(stack, "a", { product: coder({ version: "2.26" }) });
  const second = () =>
    new workspace.WorkspaceProvider(stack, "b", {
      alias: "b",
      product: coder({ version: "2.31" }),
    });
  expect(second).toThrow('must be "coder 2.26", as in Demo/a');
  expect(second).toThrow('(got "coder 2.31")');
});

it("is the version of the platform, which cannot say another one", () => {
  const stack = new TerraformStack(Testing.app(), "Demo");
  const product = coder({ version: "2.26" });
  const provider = (version: string, id: string) =>
    new workspace.WorkspaceProvider(stack, id, { alias: id, product, platform: { version } });
  expect(() => provider("2.28", "a")).toThrow(
    'workspace.WorkspaceProvider at Demo/a: 1 problem\n  platform.version: must be omitted, or be the version of the product, "2.26" (got "2.28")',
  );
  expect(provider("2.26", "b").platform).toEqual({ version: "2.26" });
});

it.each(["", "2", "new", "v2.26"])("refuses the version %p", (version) => {
  expect(() => coder({ version })).toThrow(
    `coder: version must be a version such as 2.28 (got ${JSON.stringify(version)})`,
  );
});
