import { TerraformHclModule, TerraformVariable, type TerraformStack } from "cdktf";
import { workspace } from "../../../src";
import { prebuildParameters, presetValues } from "../../../src/workspace/parameter/preset-rules";
import { idleMonotonic } from "../../../src/workspace/parameter/rules";
import { findingsOf, newTemplate } from "../template/template";

let stack: TerraformStack;

beforeEach(() => {
  stack = newTemplate();
});

const cpu = (props: Partial<workspace.DataParameterProps<"number">> = {}) =>
  new workspace.DataParameter(stack, "cpu", {
    name: "cpu",
    type: "number",
    validation: { min: 1, max: 8 },
    ...props,
  });

function preset(
  parameters: Readonly<Record<string, string>>,
  props: Partial<workspace.DataWorkspacePresetProps> = {},
): workspace.DataWorkspacePreset {
  return new workspace.DataWorkspacePreset(stack, "large", { name: "Large", parameters, ...props });
}

describe("a preset's value", () => {
  test("must satisfy the parameter's validation", () => {
    cpu();
    preset({ cpu: "64" });
    expect(findingsOf(presetValues, stack)).toEqual([
      'error INVALID_ARGUMENT Demo/large: parameters.cpu: must be at most 8, as the parameter at Demo/cpu says (got "64")',
    ]);
  });

  test("must be of the parameter's type", () => {
    cpu();
    preset({ cpu: "many" });
    expect(findingsOf(presetValues, stack)).toEqual([expect.stringContaining("whole number")]);
  });

  test("must be one of the options, and may be empty only if that is one", () => {
    new workspace.DataParameter(stack, "region", {
      name: "my region",
      options: [
        { name: "Europe", value: "eu" },
        { name: "America", value: "us" },
      ],
    });
    preset({ "my region": "" });
    expect(findingsOf(presetValues, stack)).toEqual([
      'error INVALID_ARGUMENT Demo/large: parameters["my region"]: must be one of the options: "eu", "us", as the parameter at Demo/region says (got "")',
    ]);
  });

  test("is checked when an escape hatch has set it", () => {
    cpu();
    preset({ cpu: "4" }).addOverride("parameters.cpu", "9");
    expect(findingsOf(presetValues, stack)).toEqual([expect.stringContaining('(got "9")')]);
  });

  test("passes when it is right, or only Terraform knows it or what it must be", () => {
    cpu({ validation: { min: 1, max: new TerraformVariable(stack, "max", {}).numberValue } });
    new workspace.DataParameter(stack, "size", { name: "size" });
    preset({ cpu: "64", size: "${var.size}" });
    expect(findingsOf(presetValues, stack)).toEqual([]);
  });

  test("is not held against a parameter that is not always there", () => {
    cpu({ count: new TerraformVariable(stack, "v", {}).numberValue });
    preset({ cpu: "64" });
    expect(findingsOf(presetValues, stack)).toEqual([]);
  });

  test("of an ephemeral parameter gets a warning", () => {
    cpu({ ephemeral: true, mutable: true, default: 2 });
    preset({ cpu: "4" });
    expect(findingsOf(presetValues, stack)).toEqual([
      "warning ADVICE Demo/large: parameters.cpu: serves the first build alone: the parameter at Demo/cpu is ephemeral",
    ]);
  });
});

describe("a name that no parameter has", () => {
  test("gets a warning, with the name that may be meant", () => {
    new workspace.DataParameter(stack, "region", { name: "region" });
    preset({ regoin: "eu" });
    expect(findingsOf(presetValues, stack)).toEqual([
      'warning ADVICE Demo/large: parameters.regoin: is no parameter of this stack, and the platform leaves it out; did you mean "region"?',
    ]);
  });

  test.each([
    [
      "a parameter whose name only Terraform knows",
      () => new workspace.DataParameter(stack, "p", { name: "${var.p}" }),
    ],
    [
      "a module",
      () => new TerraformHclModule(stack, "m", { source: "git::https://example.com/m.git" }),
    ],
  ])("may be that of %s", (_what, declare) => {
    declare();
    preset({ region: "eu" });
    expect(findingsOf(presetValues, stack)).toEqual([]);
  });
});

describe("prebuilds", () => {
  const prebuilds = { instances: 1 };

  test("need values for all parameters without a default", () => {
    cpu();
    new workspace.DataParameter(stack, "region", { name: "region" });
    new workspace.DataParameter(stack, "zone", { name: "zone", default: "" });
    preset({ cpu: "2" }, { prebuilds });
    expect(findingsOf(prebuildParameters, stack)).toEqual([
      'warning ADVICE Demo/large: prebuilds: needs values for all parameters without a default, because nobody is asked when a workspace is built in advance: set "region"',
    ]);
  });

  test("are fine with all of them, and presets without prebuilds need none", () => {
    cpu();
    preset({ cpu: "2" }, { prebuilds });
    new workspace.DataWorkspacePreset(stack, "small", { name: "Small" });
    expect(findingsOf(prebuildParameters, stack)).toEqual([]);
  });

  test("pass when only Terraform knows the parameters", () => {
    cpu();
    const parameters = new TerraformVariable(stack, "v", {}).value as Record<string, string>;
    new workspace.DataWorkspacePreset(stack, "large", { name: "Large", prebuilds, parameters });
    expect(findingsOf(prebuildParameters, stack)).toEqual([]);
  });
});

describe("a direction", () => {
  const monotonic = workspace.Monotonic.INCREASING;

  test("gets a warning where the value cannot change", () => {
    cpu({ validation: { monotonic } });
    expect(findingsOf(idleMonotonic, stack)).toEqual([
      "warning ADVICE Demo/cpu: validation.monotonic: has no effect, because the value cannot be changed at all: make the parameter mutable, or leave this out",
    ]);
  });

  test("is fine where it can, or where that is not known", () => {
    cpu({ validation: { monotonic }, mutable: true });
    const mutable = new TerraformVariable(stack, "v", {}).booleanValue;
    new workspace.DataParameter(stack, "disk", {
      name: "disk",
      type: "number",
      validation: { monotonic },
      mutable,
    });
    expect(findingsOf(idleMonotonic, stack)).toEqual([]);
  });
});
