import { TerraformHclModule, TerraformStack, TerraformVariable, Testing } from "cdktf";
import { workspace } from "../../../src";
import {
  idleMonotonic,
  prebuildParameters,
  presetValues,
} from "../../../src/workspace/parameter/rules";
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
      'error INVALID_ARGUMENT Demo/large: parameters.cpu: must be at most 8, as required by the parameter at Demo/cpu (got "64")',
    ]);
  });

  test("must be of the parameter's type", () => {
    cpu();
    preset({ cpu: "many" });
    expect(findingsOf(presetValues, stack)).toEqual([
      expect.stringContaining("must be an integer"),
    ]);
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
      'error INVALID_ARGUMENT Demo/large: parameters["my region"]: must be one of the options: "eu", "us", as required by the parameter at Demo/region (got "")',
    ]);
  });

  test("is checked when an escape hatch has set it", () => {
    cpu();
    preset({ cpu: "4" }).addOverride("parameters.cpu", "9");
    expect(findingsOf(presetValues, stack)).toEqual([expect.stringContaining('(got "9")')]);
  });

  test("is accepted when it is valid, or when it or its rules are known only to Terraform", () => {
    cpu({ validation: { min: 1, max: new TerraformVariable(stack, "max", {}).numberValue } });
    new workspace.DataParameter(stack, "size", { name: "size" });
    preset({ cpu: "64", size: "${var.size}" });
    expect(findingsOf(presetValues, stack)).toEqual([]);
  });

  test("is not checked against a parameter that does not always exist", () => {
    cpu({ count: new TerraformVariable(stack, "v", {}).numberValue });
    preset({ cpu: "64" });
    expect(findingsOf(presetValues, stack)).toEqual([]);
  });

  test("of an ephemeral parameter gets a warning", () => {
    cpu({ ephemeral: true, mutable: true, default: 2 });
    preset({ cpu: "4" });
    expect(findingsOf(presetValues, stack)).toEqual([
      "warning ADVICE Demo/large: parameters.cpu: is used only for the first build: the parameter at Demo/cpu is ephemeral",
    ]);
  });
});

describe("a name that no parameter has", () => {
  test("gets a warning, with a suggestion", () => {
    new workspace.DataParameter(stack, "region", { name: "region" });
    preset({ regoin: "eu" });
    expect(findingsOf(presetValues, stack)).toEqual([
      'warning ADVICE Demo/large: parameters.regoin: is not a parameter of this stack, so the platform refuses the template; did you mean "region"?',
    ]);
  });

  const forCoder = (version?: string): string => {
    const other = new TerraformStack(Testing.app(), "Demo");
    const product = workspace.products.coder;
    new workspace.WorkspaceProvider(other, "workspace", { product, platform: { version } });
    const name = "Large";
    new workspace.DataWorkspacePreset(other, "large", { name, parameters: { size: "1" } });
    try {
      Testing.synth(other, true);
      return other.node
        .findChild("large")
        .node.metadata.map(({ data }) => String(data))
        .join();
    } catch (error) {
      return String(error);
    }
  };

  test("is refused for coder", () => {
    expect(forCoder()).toMatch(
      /Validation failed[^]*parameters\.size: is not a parameter of this stack, so the platform refuses/,
    );
  });

  test("is ignored by coder before version 2.24", () => {
    expect(forCoder("2.23.0")).toMatch(
      /^parameters\.size: .*, so version 2\.23\.0 of the platform ignores it, and version 2\.24 refuses/,
    );
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
      'warning ADVICE Demo/large: prebuilds: needs values for all parameters without a default, because there is no user input for a prebuild: set "region"',
    ]);
  });

  test("are fine with all of them, and presets without prebuilds need none", () => {
    cpu();
    preset({ cpu: "2" }, { prebuilds });
    new workspace.DataWorkspacePreset(stack, "small", { name: "Small" });
    expect(findingsOf(prebuildParameters, stack)).toEqual([]);
  });

  test("are accepted when only Terraform knows the parameters", () => {
    cpu();
    const parameters = new TerraformVariable(stack, "v", {}).value as Record<string, string>;
    new workspace.DataWorkspacePreset(stack, "large", { name: "Large", prebuilds, parameters });
    expect(findingsOf(prebuildParameters, stack)).toEqual([]);
  });
});

describe("a direction", () => {
  const monotonic = workspace.Monotonic.INCREASING;

  test("gets a warning when the value cannot change", () => {
    cpu({ validation: { monotonic } });
    expect(findingsOf(idleMonotonic, stack)).toEqual([
      "warning ADVICE Demo/cpu: validation.monotonic: has no effect, because the value cannot be changed: make the parameter mutable, or remove monotonic",
    ]);
  });

  test("is accepted when it can change, or when that is unknown", () => {
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
