import { TerraformStack, Testing } from "cdktf";
import { Construct } from "constructs";
import { ids, signing, ValidationError, workspace } from "../../../../src";

type ConstructClass = new (scope: Construct, id: string, props?: unknown) => Construct;

function isConstructClass(value: unknown): value is ConstructClass {
  return typeof value === "function" && value.prototype instanceof Construct;
}

const classes = Object.entries({ ids, workspace, signing }).flatMap(([slice, exported]) =>
  Object.entries(exported).flatMap(([name, value]: [string, unknown]) =>
    isConstructClass(value) ? [[`${slice}.${name}`, value] as const] : [],
  ),
);

const stack = (): TerraformStack => new TerraformStack(Testing.app(), "Demo");

test("there are constructs to try", () => {
  expect(classes.length).toBeGreaterThan(20);
});

test.each(classes)("%s without props is created, or names what is missing", (name, Class) => {
  for (const props of [undefined, null]) {
    try {
      new Class(stack(), "one", props);
    } catch (error) {
      expect(error).toBeInstanceOf(ValidationError);
      expect((error as ValidationError).message).toMatch(
        new RegExp(`^${name} at Demo/one: \\d+ problems?\n  `),
      );
    }
  }
});

test.each(["addApp", "addScript", "addDevcontainer"] as const)(
  "agent.%s without props names what is missing, or creates it",
  (method) => {
    const agent = new workspace.Agent(stack(), "main", { os: "linux", arch: "amd64" });
    const add = agent[method].bind(agent) as (id: string) => unknown;
    try {
      add("one");
    } catch (error) {
      expect(error).toBeInstanceOf(ValidationError);
    }
  },
);
