import { TerraformStack, Testing, TerraformVariable, Token, type IResolvable } from "cdktf";
import { workspace } from "../../../src";
import type {
  externalAuth,
  secret,
  workspaceOwner,
} from "../../../src/core/workspace/workspace-owner/declare";
import type { parameter } from "../../../src/core/workspace/parameter/declare";
import type {
  provisioner,
  workspace as workspaceSource,
  workspaceTags,
} from "../../../src/core/workspace/workspace/declare";
import type { task } from "../../../src/core/workspace/ai-task/declare";
import type { workspacePreset } from "../../../src/core/workspace/preset/declare";
import { assertType, type Maps, type Same } from "../../accept/props";

/** The properties of a parameter of any type with string values. */
type Texts = Omit<workspace.DataParameterProps, "type"> & {
  readonly type?: workspace.ParameterType | IResolvable | undefined;
};

test("the props of the data sources are the declarations' arguments", () => {
  assertType<Maps<workspace.DataExternalAuthProps, typeof externalAuth>>(true);
  assertType<Maps<Texts, typeof parameter>>(true);
  assertType<Maps<workspace.DataProvisionerProps, typeof provisioner>>(true);
  assertType<Maps<workspace.DataSecretProps, typeof secret>>(true);
  assertType<Maps<workspace.DataTaskProps, typeof task>>(true);
  assertType<Maps<workspace.DataWorkspaceProps, typeof workspaceSource>>(true);
  assertType<Maps<workspace.DataWorkspaceOwnerProps, typeof workspaceOwner>>(true);
  assertType<Maps<workspace.DataWorkspacePresetProps, typeof workspacePreset>>(true);
  assertType<Maps<workspace.DataWorkspaceTagsProps, typeof workspaceTags>>(true);
});

test("the comparison of props and arguments detects differences", () => {
  // @ts-expect-error an extra name
  assertType<Maps<workspace.DataSecretProps & { readonly more?: string }, typeof secret>>(true);
  // @ts-expect-error another type
  assertType<Maps<{ readonly tags?: readonly string[] }, typeof workspaceTags>>(true);
  interface Wider {
    readonly id: string | number;
    optional?: boolean;
  }
  // @ts-expect-error a value that the declaration does not accept
  assertType<Maps<Wider, typeof externalAuth>>(true);
});

test("the props of a string parameter are also accepted for other types", () => {
  type Numbers = Omit<workspace.DataParameterProps<"number">, "type">;
  assertType<Omit<Texts, "type"> extends Numbers ? true : false>(true);
});

test("the bounds of a validation accept every integer", () => {
  assertType<Same<workspace.ParameterValidation["min"], number | bigint | undefined>>(true);
  assertType<Same<workspace.ParameterValidation["max"], number | bigint | undefined>>(true);
});

type Stack = TerraformStack;

test("the compiler accepts the values of a parameter's type, and every string", () => {
  const declare = (scope: Stack) => ({
    text: new workspace.DataParameter(scope, "text", { name: "text", default: "a" }),
    number: new workspace.DataParameter(scope, "number", {
      name: "number",
      type: "number",
      default: 4,
      options: [
        { name: "four", value: 4 },
        { name: "eight", value: "8" },
      ],
    }),
    flag: new workspace.DataParameter(scope, "flag", {
      name: "flag",
      type: workspace.ParameterType.BOOL,
      default: true,
    }),
    list: new workspace.DataParameter(scope, "list", {
      name: "list",
      type: "list(string)",
      default: ["a"],
    }),
    open: new workspace.DataParameter(scope, "open", {
      name: "open",
      type: Token.asAny(new TerraformVariable(scope, "type", {}).stringValue),
      default: "1",
    }),
  });
  type Declared = ReturnType<typeof declare>;
  assertType<Same<Declared["text"], workspace.DataParameter>>(true);
  assertType<Same<Declared["number"], workspace.DataParameter<"number">>>(true);
  assertType<Same<Declared["flag"], workspace.DataParameter<"bool">>>(true);
  assertType<Same<Declared["list"], workspace.DataParameter<"list(string)">>>(true);
  assertType<
    Declared["list"] extends workspace.DataParameter<workspace.ParameterType> ? true : false
  >(true);
  // @ts-expect-error a number parameter is not a string parameter
  assertType<Declared["number"] extends Declared["text"] ? true : false>(true);
  const { text } = declare(new TerraformStack(Testing.app(), "Demo"));
  expect(text.node.path).toBe("Demo/text");
});

test("the compiler refuses values of another type", () => {
  const declare = (scope: Stack): void => {
    // @ts-expect-error a string is not a number
    new workspace.DataParameter(scope, "a", { name: "a", default: 4 });
    // @ts-expect-error a number is not a boolean
    new workspace.DataParameter(scope, "b", { name: "b", type: "number", default: true });
    // @ts-expect-error a list is not a boolean
    new workspace.DataParameter(scope, "c", { name: "c", type: "bool", default: ["true"] });
    // @ts-expect-error a list is a list of strings
    new workspace.DataParameter(scope, "d", { name: "d", type: "list(string)", default: [1] });
    const wrong = { name: "one", value: 1 };
    // @ts-expect-error the value of an option has the parameter's type
    new workspace.DataParameter(scope, "e", { name: "e", type: "bool", options: [wrong] });
    // @ts-expect-error a type is one of the enum values
    new workspace.DataParameter(scope, "f", { name: "f", type: "integer" });
    // @ts-expect-error a form type is one of the enum values
    new workspace.DataParameter(scope, "g", { name: "g", formType: "select" });
  };
  expect(() => {
    declare(new TerraformStack(Testing.app(), "Demo"));
  }).toThrow();
});

test("the compiler checks what a preset sets against the parameter's type", () => {
  const declare = (scope: Stack): void => {
    const cpu = new workspace.DataParameter(scope, "cpu", { name: "cpu", type: "number" });
    const zone = new workspace.DataParameter(scope, "zone", { name: "zone" });
    const preset = new workspace.DataWorkspacePreset(scope, "small", { name: "small" });
    preset.set(cpu, 4).set(zone, "a");
    // @ts-expect-error a boolean is not a number
    preset.set(cpu, true);
    // @ts-expect-error a number is not a string
    preset.set(zone, 1);
  };
  expect(() => {
    declare(new TerraformStack(Testing.app(), "Demo"));
  }).toThrow(workspace.ValidationError);
});

test("the compiler refuses props that the declarations lack", () => {
  const declare = (scope: Stack): void => {
    // @ts-expect-error a secret has a help message
    new workspace.DataSecret(scope, "a", { env: "TOKEN" });
    // @ts-expect-error an output is not an input
    new workspace.DataWorkspace(scope, "b", { name: "mine" });
    // @ts-expect-error only resources accept this
    new workspace.DataTask(scope, "c", { provisioners: [] });
    const owner = new workspace.DataWorkspaceOwner(scope, "d");
    // @ts-expect-error outputs are read-only
    owner.email = "me@example.com";
  };
  expect(() => {
    declare(new TerraformStack(Testing.app(), "Demo"));
  }).toThrow(workspace.ValidationError);
});
