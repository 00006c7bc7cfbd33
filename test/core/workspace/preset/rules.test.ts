import { TerraformHclModule, type TerraformStack, TerraformVariable } from "cdktf";
import { workspace } from "../../../../src";
import {
  idleMonotonic,
  prebuildParameters,
  presetValues,
} from "../../../../src/core/workspace/parameter/rules";
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

/** What is found for coder, where no value of a preset is refused unless it has prebuilds. */
function forCoder(
  version: string | undefined,
  parameters: Readonly<Record<string, string>>,
  props: Partial<workspace.DataWorkspacePresetProps> = {},
): readonly string[] {
  const product = workspace.products.coder;
  stack = newTemplate({ product, platform: { version } });
  cpu({ default: 2 });
  preset(parameters, props);
  return findingsOf(presetValues, stack);
}

describe("a preset's value that coder's parameter refuses", () => {
  const wrong = 'must be at most 8, as required by the parameter at Demo/cpu (got "64")';

  test("is advised against, because the template is accepted", () => {
    expect(forCoder(undefined, { cpu: "64" })).toEqual([
      `warning ADVICE Demo/large: parameters.cpu: ${wrong}: the platform accepts the template, but refuses each workspace with this preset (as of coder 2.31, read in its sources)`,
    ]);
  });

  test("is refused if there are prebuilds, and by versions that check all presets", () => {
    const refused = [`error INVALID_ARGUMENT Demo/large: parameters.cpu: ${wrong}`];
    expect(forCoder(undefined, { cpu: "64" }, { prebuilds: { instances: 1 } })).toEqual(refused);
    expect(forCoder("2.26.0", { cpu: "64" })).toEqual(refused);
  });
});

describe("a name that no parameter has", () => {
  test("gets a warning, with a suggestion", () => {
    new workspace.DataParameter(stack, "region", { name: "region" });
    preset({ regoin: "eu" });
    expect(findingsOf(presetValues, stack)).toEqual([
      'warning ADVICE Demo/large: parameters.regoin: is not a parameter of this stack, so the platform ignores the value; did you mean "region"?',
    ]);
  });

  test.each([
    ["newest", undefined, "warning", "ignores the value"],
    ["2.24", "2.24.0", "warning", "ignores the value"],
    ["2.25", "2.25.0", "error", "refuses the template"],
    ["2.30", "2.30.4", "error", "refuses the template"],
    ["2.31", "2.31.0", "warning", "ignores the value"],
  ])("in version %s of coder", (_words, version, severity, effect) => {
    expect(forCoder(version, { size: "1" })).toEqual([
      expect.stringMatching(`^${severity} .*parameters\\.size: .*, so the platform ${effect}`),
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
      'warning ADVICE Demo/large: prebuilds: needs values for all parameters without a default, because there is no user input for a prebuild: set "region" (as of coder 2.31, read in its sources)',
    ]);
  });

  test.each([
    ["newest", undefined, 1, "error INVALID_ARGUMENT"],
    ["2.30", "2.30.0", 1, "warning ADVICE"],
    ["newest, for schedules only", undefined, 0, "warning ADVICE"],
  ])("are refused by coder without them: version %s", (_words, version, instances, severity) => {
    const product = workspace.products.coder;
    stack = newTemplate({ product, platform: { version } });
    new workspace.DataParameter(stack, "region", { name: "region" });
    preset({}, { prebuilds: { instances } });
    expect(findingsOf(prebuildParameters, stack)).toEqual([
      expect.stringContaining(`${severity} Demo/large: prebuilds: needs values for all parameters`),
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
