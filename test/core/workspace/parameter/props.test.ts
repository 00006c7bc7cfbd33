import { Fn, TerraformVariable, Token } from "cdktf";
import { workspace } from "../../../../src";
import { found, newStack, read, refusal, synthesized } from "../synthesized";

const { DataParameter } = workspace;

type ParameterType = workspace.ParameterType;

/** The string that a default is converted to. */
function textOf<T extends ParameterType>(type: T, value: workspace.ParameterValue<T>): unknown {
  const stack = newStack();
  new DataParameter<T>(stack, "p", { name: "p", type, default: value });
  const { data } = synthesized(stack) as {
    data: { workspace_parameter: { p: { default: unknown } } };
  };
  return data.workspace_parameter.p.default;
}

describe("a value is converted to its string form", () => {
  test("of a number", () => {
    expect(textOf("number", 4)).toBe("4");
    expect(textOf("number", -0.5)).toBe("-0.5");
    expect(textOf("number", 1e21)).toBe("1e+21");
    expect(textOf("number", 9007199254740993n)).toBe("9007199254740993");
    expect(textOf("number", "007")).toBe("007");
  });

  test("of a boolean", () => {
    expect(textOf("bool", true)).toBe("true");
    expect(textOf("bool", false)).toBe("false");
    expect(textOf("bool", "F")).toBe("F");
  });

  test("of a list", () => {
    expect(textOf("list(string)", ["a", 'b"', "ü"])).toBe('["a","b\\"","ü"]');
    expect(textOf("list(string)", [])).toBe("[]");
    expect(textOf("list(string)", '[ "a" ]')).toBe('[ "a" ]');
  });

  test("of tokens, as Terraform writes them", () => {
    const stack = newStack();
    const variable = (name: string, type: string) => new TerraformVariable(stack, name, { type });
    const text = variable("text", "string").stringValue;
    const values = {
      number: variable("number", "number").numberValue,
      flag: variable("flag", "bool").booleanValue,
      list: variable("list", "list(string)").listValue,
    };
    new DataParameter(stack, "n", { name: "n", type: "number", default: values.number });
    new DataParameter(stack, "b", { name: "b", type: "bool", default: values.flag });
    new DataParameter(stack, "l", { name: "l", type: "list(string)", default: values.list });
    new DataParameter(stack, "m", { name: "m", type: "list(string)", default: ["a", `${text}!`] });
    expect(synthesized(stack)).toHaveProperty("data.workspace_parameter", {
      n: { name: "n", type: "number", default: "${var.number}" },
      b: { name: "b", type: "bool", default: "${var.flag}" },
      l: { name: "l", type: "list(string)", default: "${jsonencode(var.list)}" },
      m: { name: "m", type: "list(string)", default: '${jsonencode(["a", "${var.text}!"])}' },
    });
  });
});

describe("a value that is not of the type is refused", () => {
  /** As from JavaScript, without type checks. */
  const wrong = (type: ParameterType, value: unknown) =>
    found(
      refusal(
        () => new DataParameter(newStack(), "p", { name: "p", type, default: value as never }),
      ),
    );

  test("when it has another kind", () => {
    expect(wrong("string", 4)).toEqual(["WRONG_TYPE default"]);
    expect(wrong("number", true)).toEqual(["WRONG_TYPE default"]);
    expect(wrong("bool", 1)).toEqual(["WRONG_TYPE default"]);
    expect(wrong("number", ["1"])).toEqual(["WRONG_TYPE default"]);
  });

  test("when its string form is", () => {
    expect(wrong("number", "four")).toEqual(["INVALID_ARGUMENT default"]);
    expect(wrong("number", NaN)).toEqual(["INVALID_ARGUMENT default"]);
    expect(wrong("bool", "yes")).toEqual(["INVALID_ARGUMENT default"]);
    expect(wrong("list(string)", [1])).toEqual(["INVALID_ARGUMENT default"]);
  });

  test("when JavaScript calculated with a token", () => {
    const number = new TerraformVariable(newStack(), "number", { type: "number" }).numberValue;
    expect(wrong("number", number * 2)).toContain("TOKEN_MISUSE default");
  });

  test("in an option too", () => {
    const options = [{ name: "one", value: 1 as never }];
    const error = refusal(() => new DataParameter(newStack(), "p", { name: "p", options }));
    expect(found(error)).toEqual(["WRONG_TYPE options.0.value"]);
  });
});

describe("the value is read", () => {
  const value = "data.workspace_parameter.p.value";

  test("as a number", () => {
    const parameter = new DataParameter(newStack(), "p", { name: "p", type: "number", default: 4 });
    expect(read(parameter, "value", "asNumber")).toEqual({
      value: `\${${value}}`,
      asNumber: `\${tonumber(${value})}`,
    });
  });

  test("as a boolean, in any of its string forms", () => {
    const parameter = new DataParameter(newStack(), "p", { name: "p", type: "bool" });
    expect(read(parameter, "asBoolean")).toEqual({
      asBoolean: `\${contains(["1", "t", "T", "TRUE", "true", "True"], ${value})}`,
    });
  });

  test("as a list, where a list is set", () => {
    const stack = newStack();
    const tools = { name: "p", type: "list(string)", default: ["a"] } as const;
    const parameter = new DataParameter(stack, "p", tools);
    const agent = new workspace.Agent(stack, "main", { os: "linux", arch: "amd64" });
    agent.addEnv("TOOLS", Fn.join(" ", parameter.asList));
    expect(read(parameter, "asList")).toEqual({ asList: `\${jsondecode(${value})}` });
    expect(JSON.stringify(synthesized(stack)["resource"])).toContain(
      `join(\\" \\", jsondecode(${value}))`,
    );
  });

  test("without a default as an empty value during a template import", () => {
    const number = new DataParameter(newStack(), "p", { name: "p", type: "number" });
    const list = new DataParameter(newStack(), "p", { name: "p", type: "list(string)" });
    expect(read(number, "asNumber")).toEqual({
      asNumber: `\${tonumber(coalesce(${value}, "0"))}`,
    });
    expect(read(list, "asList")).toEqual({ asList: `\${jsondecode(coalesce(${value}, "[]"))}` });
  });

  test("as any type when the type is a token", () => {
    const stack = newStack();
    const type = Token.asAny(new TerraformVariable(stack, "type", {}).stringValue);
    const parameter = new DataParameter(stack, "p", { name: "p", type, default: "1" });
    expect(read(parameter, "asNumber")).toEqual({ asNumber: `\${tonumber(${value})}` });
  });

  test("not as another type", () => {
    const stack = newStack();
    const flag = new DataParameter(stack, "flag", { name: "flag", type: "bool" });
    const error = refusal(() => flag.asNumber);
    expect(error.constructPath).toBe("Demo/flag");
    expect(found(error)).toEqual(["WRONG_TYPE type"]);
    expect(error.message).toBe(
      "workspace.DataParameter at Demo/flag: 1 problem\n" +
        "  type: must be number for asNumber (got bool): read asBoolean instead [WRONG_TYPE]",
    );
    const text = new DataParameter(stack, "text", { name: "text" });
    expect(refusal(() => text.asList).message).toContain(
      "type: must be list(string) for asList (got string): read value instead",
    );
    expect(() => text.asBoolean).toThrow(workspace.ValidationError);
  });
});
