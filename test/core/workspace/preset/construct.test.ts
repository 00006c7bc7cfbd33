import { TerraformVariable, Token } from "cdktf";
import { workspace } from "../../../../src";
import { found, newStack, read, refusal, synthesized } from "../synthesized";

const { DataParameter, DataWorkspacePreset } = workspace;

const everything = {
  name: "Large",
  description: "For the whole product.",
  icon: "/icon/large.svg",
  default: true,
  parameters: { cores: "16" },
  prebuilds: {
    instances: 1,
    expirationPolicy: { ttl: 86400 },
    scheduling: {
      timezone: "Europe/Berlin",
      schedules: [
        { cron: "* 8-18 * * 1-5", instances: 5 },
        { cron: "* 9-12 * * 6", instances: 2 },
      ],
    },
  },
};

test("a preset requires only its name", () => {
  const stack = newStack();
  new DataWorkspacePreset(stack, "small", { name: "Small" });
  expect(synthesized(stack)).toHaveProperty("data", {
    workspace_workspace_preset: { small: { name: "Small" } },
  });
  expect(DataWorkspacePreset.typeToken).toBe("trivet:workspace/v1:DataWorkspacePreset");
});

test("everything set, under Terraform's names", () => {
  const stack = newStack();
  new DataParameter(stack, "cores", { name: "cores", type: "number" });
  new DataWorkspacePreset(stack, "large", everything);
  expect(synthesized(stack)).toHaveProperty("data.workspace_workspace_preset.large", {
    name: "Large",
    description: "For the whole product.",
    icon: "/icon/large.svg",
    default: true,
    parameters: { cores: "16" },
    prebuilds: {
      instances: 1,
      expiration_policy: { ttl: 86400 },
      scheduling: {
        timezone: "Europe/Berlin",
        schedule: [
          { cron: "* 8-18 * * 1-5", instances: 5 },
          { cron: "* 9-12 * * 6", instances: 2 },
        ],
      },
    },
  });
});

test("prebuilds work without a schedule", () => {
  const stack = newStack();
  new DataWorkspacePreset(stack, "small", { name: "Small", prebuilds: { instances: 2 } });
  expect(synthesized(stack)).toHaveProperty("data.workspace_workspace_preset.small.prebuilds", {
    instances: 2,
  });
});

test("every attribute of a preset can be read", () => {
  const at = (name: string): string => `\${data.workspace_workspace_preset.p.${name}}`;
  const inside = (name: string): string =>
    `flatten(data.workspace_workspace_preset.p.prebuilds[*].${name})`;
  const preset = new DataWorkspacePreset(newStack(), "p", { name: "p" });
  expect(read(preset, "name", "description", "icon", "default", "parameters", "id")).toEqual({
    name: at("name"),
    description: at("description"),
    icon: at("icon"),
    default: at("default"),
    parameters: at("parameters"),
    id: at("id"),
  });
  expect(read(preset, "prebuilds")["prebuilds"]).toEqual({
    instances: `\${one(${inside("instances")})}`,
    expirationPolicy: { ttl: `\${one(${inside("expiration_policy[*].ttl")})}` },
    scheduling: {
      timezone: `\${one(${inside("scheduling[*].timezone")})}`,
      schedules: `\${${inside("scheduling[*].schedule")}}`,
    },
  });
});

test("all problems are reported at once, each with its path", () => {
  const prebuilds = {
    instances: -1,
    expirationPolicy: { ttl: 60 },
    scheduling: { timezone: "Berlin", schedules: [{ cron: "0 8 * * *", instances: 1 }] },
  };
  const error = refusal(
    () => new DataWorkspacePreset(newStack(), "p", { name: "", icon: "/i.svg", prebuilds }),
  );
  expect(error.constructPath).toBe("Demo/p");
  expect(found(error)).toEqual([
    "INVALID_ARGUMENT name",
    "INVALID_ARGUMENT prebuilds.instances",
    "INVALID_ARGUMENT prebuilds.expirationPolicy.ttl",
    "INVALID_ARGUMENT prebuilds.scheduling.timezone",
    "INVALID_ARGUMENT prebuilds.scheduling.schedules.0.cron",
  ]);
});

describe("set", () => {
  const parameters = () => {
    const stack = newStack();
    return {
      stack,
      preset: new DataWorkspacePreset(stack, "small", { name: "Small" }),
      cores: new DataParameter(stack, "cores", {
        name: "cores",
        type: "number",
        validation: { min: 1, max: 16 },
      }),
      debug: new DataParameter(stack, "debug", { name: "debug mode", type: "bool" }),
      tools: new DataParameter(stack, "tools", {
        name: "tools",
        type: "list(string)",
        formType: "multi-select",
        options: [
          { name: "Git", value: "git" },
          { name: "Make", value: "make" },
        ],
      }),
      region: new DataParameter(stack, "region", {
        name: "region",
        options: [
          { name: "Europe", value: "eu" },
          { name: "America", value: "us" },
        ],
      }),
    };
  };

  const at = "data.workspace_workspace_preset.small.parameters";

  test("adds values as strings, under the parameters' names, in order", () => {
    const { stack, preset, cores, debug, tools, region } = parameters();
    const same = preset.set(cores, 8).set(debug, false).set(tools, ["git"]).set(region, "eu");
    expect(same).toBe(preset);
    expect(synthesized(stack)).toHaveProperty(at, {
      cores: "8",
      "debug mode": "false",
      tools: '["git"]',
      region: "eu",
    });
  });

  test("adds to the given values, without modifying the user's object", () => {
    const { stack, cores } = parameters();
    const given = { region: "eu" };
    const preset = new DataWorkspacePreset(stack, "large", { name: "Large", parameters: given });
    preset.set(cores, "16");
    expect(given).toEqual({ region: "eu" });
    expect(synthesized(stack)).toHaveProperty("data.workspace_workspace_preset.large.parameters", {
      region: "eu",
      cores: "16",
    });
  });

  test("accepts tokens", () => {
    const { stack, preset, cores, tools } = parameters();
    const number = new TerraformVariable(stack, "number", { type: "number" }).numberValue;
    const text = new TerraformVariable(stack, "text", {}).stringValue;
    preset.set(cores, number).set(tools, [text]);
    expect(synthesized(stack)).toHaveProperty(at, {
      cores: "${var.number}",
      tools: "${jsonencode([var.text])}",
    });
  });

  test("refuses what the parameter's bounds refuse", () => {
    const { stack, preset, cores } = parameters();
    const error = refusal(() => preset.set(cores, 32));
    expect(error.constructPath).toBe("Demo/small");
    expect(found(error)).toEqual(["INVALID_ARGUMENT parameters.cores"]);
    expect(error.message).toBe(
      "workspace.DataWorkspacePreset at Demo/small: 1 problem\n" +
        "  parameters.cores: is refused by the parameter Demo/cores (got 32): must be at most 16 [INVALID_ARGUMENT]",
    );
    expect(synthesized(stack)).not.toHaveProperty(at);
  });

  test("refuses what is not an option, and what has another type", () => {
    const { preset, tools, region, debug } = parameters();
    expect(refusal(() => preset.set(region, "asia")).message).toContain(
      '(got "asia"): must be one of the options: "eu", "us"',
    );
    expect(found(refusal(() => preset.set(tools, ["git", "cc"])))).toEqual([
      "INVALID_ARGUMENT parameters.tools",
    ]);
    expect(found(refusal(() => preset.set(debug, "maybe")))).toEqual([
      "INVALID_ARGUMENT parameters.debug mode",
    ]);
    expect(refusal(() => preset.set(debug, 1 as never)).message).toContain(
      '  parameters["debug mode"]: is refused by the parameter Demo/debug (got 1): must have the type bool',
    );
  });

  test("reports a refusal with the author's own message", () => {
    const { stack, preset } = parameters();
    const validation = { regex: "^[a-z]+$", error: "Small letters only." };
    const team = new DataParameter(stack, "team", { name: "team", validation });
    expect(refusal(() => preset.set(team, "A")).message).toContain(
      'is refused by the parameter Demo/team (got "A"): Small letters only.',
    );
  });

  test("refuses a second value of a parameter", () => {
    const { preset, cores } = parameters();
    preset.set(cores, 8);
    const error = refusal(() => preset.set(cores, 9));
    expect(found(error)).toEqual(["CONFLICT parameters.cores"]);
    expect(error.message).toContain(
      '  parameters.cores: must be set only once, but is already "8" (got 9)',
    );
  });

  test("refuses to add to a map that only Terraform knows", () => {
    const { stack, cores } = parameters();
    const given = Token.asStringMap(new TerraformVariable(stack, "map", {}).value);
    const preset = new DataWorkspacePreset(stack, "large", { name: "Large", parameters: given });
    expect(found(refusal(() => preset.set(cores, 8)))).toEqual(["TOKEN_MISUSE parameters"]);
  });

  test("leaves to Terraform what only Terraform knows", () => {
    const { stack, preset } = parameters();
    const text = new TerraformVariable(stack, "text", {}).stringValue;
    const options = [{ name: "a", value: text }];
    const open = new DataParameter(stack, "open", { name: "open", options });
    preset.set(open, "anything");
    expect(synthesized(stack)).toHaveProperty(at, { open: "anything" });
  });
});

test("a parameter reports why it refuses a value", () => {
  const props = { name: "cores", type: "number", validation: { min: 1, max: 16 } } as const;
  const cores = new DataParameter(newStack(), "cores", props);
  expect(cores.refusal(8)).toBeUndefined();
  expect(cores.refusal("0")).toBe("must be at least 1");
});
