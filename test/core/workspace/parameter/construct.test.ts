import { TerraformOutput, TerraformVariable, Token } from "cdktf";
import { workspace } from "../../../../src";
import { found, newStack, read, refusal, synthesized, warnings } from "../synthesized";

const { DataParameter, ParameterFormType, ParameterType } = workspace;

test("a parameter requires only its name", () => {
  const stack = newStack();
  new DataParameter(stack, "region", { name: "region" });
  expect(synthesized(stack)).toHaveProperty("data", {
    workspace_parameter: { region: { name: "region" } },
  });
  expect(DataParameter.typeToken).toBe("trivet:workspace/v1:DataParameter");
});

test("everything set, under Terraform's names", () => {
  const stack = newStack();
  new DataParameter(stack, "cores", {
    name: "cores",
    type: ParameterType.NUMBER,
    formType: ParameterFormType.DROPDOWN,
    displayName: "Cores",
    description: "Processor cores of the machine.",
    default: 4,
    mutable: true,
    ephemeral: false,
    icon: "/icon/cpu.svg",
    order: 2,
    styling: '{"placeholder":"4"}',
    options: [
      { name: "Four", value: 4, description: "For most work.", icon: "/icon/4.svg" },
      { name: "Eight", value: "8" },
    ],
    validation: { min: 1, max: 16, monotonic: "increasing", error: "From {min} to {max}." },
  });
  expect(synthesized(stack)).toHaveProperty("data.workspace_parameter.cores", {
    name: "cores",
    type: "number",
    form_type: "dropdown",
    display_name: "Cores",
    description: "Processor cores of the machine.",
    default: "4",
    mutable: true,
    ephemeral: false,
    icon: "/icon/cpu.svg",
    order: 2,
    styling: '{"placeholder":"4"}',
    option: [
      { name: "Four", value: "4", description: "For most work.", icon: "/icon/4.svg" },
      { name: "Eight", value: "8" },
    ],
    validation: { min: 1, max: 16, monotonic: "increasing", error: "From {min} to {max}." },
  });
});

test("every attribute of a parameter can be read", () => {
  const at = (name: string): string => `\${data.workspace_parameter.p.${name}}`;
  const one = (name: string): string => `\${one(flatten(data.workspace_parameter.p.${name}))}`;
  const parameter = new DataParameter(newStack(), "p", { name: "p" });
  expect(read(parameter, "name", "type", "formType", "displayName", "description")).toEqual({
    name: at("name"),
    type: at("type"),
    formType: at("form_type"),
    displayName: at("display_name"),
    description: at("description"),
  });
  expect(read(parameter, "default", "mutable", "ephemeral", "icon", "order")).toEqual({
    default: at("default"),
    mutable: at("mutable"),
    ephemeral: at("ephemeral"),
    icon: at("icon"),
    order: at("order"),
  });
  expect(read(parameter, "styling", "options", "optional", "value", "id")).toEqual({
    styling: at("styling"),
    options: at("option"),
    optional: at("optional"),
    value: at("value"),
    id: at("id"),
  });
  expect(read(parameter, "validation")["validation"]).toEqual({
    min: one("validation[*].min"),
    max: one("validation[*].max"),
    monotonic: one("validation[*].monotonic"),
    regex: one("validation[*].regex"),
    error: one("validation[*].error"),
  });
});

test("an option can be read by its index", () => {
  const stack = newStack();
  const { options } = new DataParameter(stack, "p", { name: "p" });
  new TerraformOutput(stack, "first", { value: options.get(0).value });
  expect(synthesized(stack)).toHaveProperty(
    "output.first.value",
    "${data.workspace_parameter.p.option[0].value}",
  );
});

test("tokens are accepted for every value", () => {
  const stack = newStack();
  const text = new TerraformVariable(stack, "text", {}).stringValue;
  const number = new TerraformVariable(stack, "number", { type: "number" }).numberValue;
  new DataParameter(stack, "p", {
    name: `of ${text}`,
    type: Token.asAny(text),
    formType: Token.asAny(text),
    order: number,
    default: text,
    options: Token.asAny(text),
    validation: { min: number, max: number, monotonic: Token.asAny(text) },
  });
  expect(synthesized(stack)).toHaveProperty("data.workspace_parameter.p", {
    name: "of ${var.text}",
    type: "${var.text}",
    form_type: "${var.text}",
    order: "${var.number}",
    default: "${var.text}",
    option: "${var.text}",
    validation: { min: "${var.number}", max: "${var.number}", monotonic: "${var.text}" },
  });
});

describe("bounds beyond the range of a double", () => {
  const bounds = { min: 9007199254740993n, max: 9223372036854775807n };

  test("are synthesized with all their digits", () => {
    const stack = newStack();
    new DataParameter(stack, "seed", { name: "seed", type: "number", validation: bounds });
    expect(synthesized(stack)).toHaveProperty("data.workspace_parameter.seed.validation", {
      min: "${9007199254740993}",
      max: "${9223372036854775807}",
    });
  });

  test("are exact where the default is checked", () => {
    const seed = (value: bigint) =>
      new DataParameter(newStack(), "seed", {
        name: "seed",
        type: "number",
        default: value,
        validation: bounds,
      });
    expect(found(refusal(() => seed(9007199254740992n)))).toEqual(["INVALID_ARGUMENT default"]);
    expect(() => seed(9007199254740993n)).not.toThrow();
  });
});

describe("what does not match", () => {
  test("is refused with the path of the construct, all problems at once", () => {
    const error = refusal(
      () =>
        new DataParameter(newStack(), "cores", {
          name: "cores",
          type: "number",
          default: 32,
          ephemeral: true,
          validation: { min: 1, max: 16 },
        }),
    );
    expect(error.constructPath).toBe("Demo/cores");
    expect(found(error)).toContain("INVALID_ARGUMENT default");
    expect(error.message).toContain("workspace.DataParameter at Demo/cores: 2 problems\n");
    expect(error.message).toContain("  default: must be at most 16");
  });

  test("is refused in a validation without a list, at the path of the bound", () => {
    const validation = { min: 5, max: 1 };
    const props = { name: "cores", type: "number", validation } as const;
    const error = refusal(() => new DataParameter(newStack(), "cores", props));
    expect(found(error)).toEqual(["INVALID_ARGUMENT validation.min"]);
  });

  test("is refused in an option", () => {
    const options = [
      { name: "a", value: "a" },
      { name: "b", value: "a" },
    ];
    const error = refusal(() => new DataParameter(newStack(), "p", { name: "p", options }));
    expect(found(error)).toEqual(["INVALID_ARGUMENT options.1.value"]);
  });

  test("is a warning when users could still continue", () => {
    const slider = { name: "p", type: "number", formType: "slider" } as const;
    const parameter = new DataParameter(newStack(), "p", slider);
    expect(warnings(parameter)).toEqual([expect.stringContaining("[parameter-slider-bounds]")]);
  });
});

test("the user's arguments are not modified, and later changes to them have no effect", () => {
  const stack = newStack();
  const list = ["a"];
  const options = [{ name: "one", value: list }];
  const props = Object.freeze({ name: "p", type: "list(string)", default: list, options } as const);
  new DataParameter(stack, "p", props);
  list.push("b");
  options.pop();
  expect(synthesized(stack)).toHaveProperty("data.workspace_parameter.p", {
    name: "p",
    type: "list(string)",
    default: '["a"]',
    option: [{ name: "one", value: '["a"]' }],
  });
});
