import {
  Fn,
  TerraformIterator,
  TerraformOutput,
  TerraformVariable,
  Token,
  type TerraformStack,
} from "cdktf";
import { workspace } from "../../../../src";
import { found, newAgent, newStack, refusal, synthesized, type Json } from "../synthesized";

const source = "registry.coder.com/coder/code-server/coder";
function modules(stack: TerraformStack): Json {
  const section = synthesized(stack)["module"] as Readonly<Record<string, Json>>;
  return Object.fromEntries(
    Object.entries(section).map(([name, body]) => [name, { ...body, "//": undefined }]),
  );
}

const output = (stack: TerraformStack, name: string): unknown =>
  (synthesized(stack)["output"] as Readonly<Record<string, Json>>)[name]?.["value"];

describe("the synthesized JSON", () => {
  test("of a call with a count and values that only Terraform knows", () => {
    const stack = newStack();
    const me = new workspace.DataWorkspace(stack, "me");
    const chosen = new TerraformVariable(stack, "chosen", { type: "string" });
    new workspace.Module(stack, "code-server", {
      source,
      version: "~> 1.0",
      count: me.startCount,
      agentId: newAgent(stack).agentId,
      variables: { folder: chosen.stringValue, order: 1, extensions: ["a.b"], group: undefined },
    });
    expect(modules(stack)).toEqual({
      "code-server": {
        source,
        version: "~> 1.0",
        count: "${data.workspace_workspace.me.start_count}",
        agent_id: "${workspace_agent.main.id}",
        folder: "${var.chosen}",
        order: 1,
        extensions: ["a.b"],
      },
    });
  });

  test("of a module for each element, with providers and dependencies", () => {
    const stack = newStack();
    const other = new workspace.WorkspaceProvider(stack, "other", { alias: "other" });
    const list = new TerraformVariable(stack, "list", { type: "set(string)" });
    const agent = newAgent(stack);
    const module = new workspace.Module(stack, "tools", {
      source: "git::https://example.com/tools.git",
      forEach: TerraformIterator.fromList(list.listValue),
      providers: [other, { provider: other.resource, moduleAlias: "second" }],
      dependsOn: [agent],
    });
    module.addOverride("count", 0);
    expect(modules(stack)).toEqual({
      tools: {
        source: "git::https://example.com/tools.git",
        for_each: "${toset(var.list)}",
        providers: { workspace: "workspace.other", "workspace.second": "workspace.other" },
        depends_on: ["workspace_agent.main"],
        count: 0,
      },
    });
  });

  test("of a module that an agent with a count adds", () => {
    const stack = newStack();
    const count = new workspace.DataWorkspace(stack, "me").startCount;
    const dev = new workspace.Agent(stack, "dev", { os: "linux", arch: "amd64", count });
    dev.addModule("own", { source, count: 1 }).overrideLogicalId("own");
    dev.addModule("same", { source }).overrideLogicalId("same");
    const call = { source, agent_id: "${workspace_agent.dev[0].id}" };
    expect(modules(stack)).toEqual({
      own: { ...call, count: 1 },
      same: { ...call, count: "${data.workspace_workspace.me.start_count}" },
    });
  });

  test("of outputs: of the module, of its only instance, and of one of several", () => {
    const stack = newStack();
    const one = new workspace.Module(stack, "one", { source, version: "1.3.1" });
    const maybe = new workspace.Module(stack, "maybe", {
      source,
      count: new workspace.DataWorkspace(stack, "me").startCount,
    });
    const each = new workspace.Module(stack, "each", {
      source,
      forEach: TerraformIterator.fromMap({ eu: {} }),
    });
    new TerraformOutput(stack, "out", {
      value: {
        text: one.getString("dir"),
        number: one.getNumber("port"),
        list: Token.asString(Fn.element(one.getList("all"), 0)),
        maybe: maybe.getString("dir"),
        first: maybe.getString("dir", 0),
        any: one.get("any"),
        eu: each.getString("dir", "eu"),
      },
    });
    expect(output(stack, "out")).toEqual({
      text: "${module.one.dir}",
      number: "${module.one.port}",
      list: "${element(module.one.all, 0)}",
      maybe: "${one(module.maybe[*].dir)}",
      first: "${module.maybe[0].dir}",
      any: "${module.one.any}",
      eu: '${module.each["eu"].dir}',
    });
    expect(found(refusal(() => each.get("dir")))).toEqual(["MISSING dir"]);
    expect(found(refusal(() => one.get("dir", 0)))).toEqual(["CONFLICT dir"]);
  });
});

describe("bad input is refused", () => {
  test.each<[string, Partial<workspace.ModuleProps>, string[]]>([
    ["no source", { source: undefined as never }, ["MISSING source"]],
    ["a name without ./", { source: "modules/tools" }, ["INVALID_ARGUMENT source"]],
    ["a folder that does not exist", { source: "./nowhere" }, ["INVALID_ARGUMENT source"]],
    ["a path through a file", { source: "./package.json/x" }, ["INVALID_ARGUMENT source"]],
    ["a version that is none", { version: "latest" }, ["INVALID_ARGUMENT version"]],
    ["a version of a folder", { source: "./", version: "1.0.0" }, ["CONFLICT version"]],
    [
      "a version of an address",
      { source: "git::https://e.com/a.git", version: "1.0.0" },
      ["CONFLICT version"],
    ],
    [
      "a version of a repository",
      { source: "github.com/acme/tools", version: "1.0.0" },
      ["CONFLICT version"],
    ],
    ["a token as the source", { source: Token.asString(Fn.upper("a")) }, ["TOKEN_MISUSE source"]],
    [
      "an argument that is no variable",
      { variables: { count: 1, agent_id: "a" } },
      ["INVALID_ARGUMENT variables.count", "INVALID_ARGUMENT variables.agent_id"],
    ],
    [
      "a count and a collection",
      { count: 1, forEach: TerraformIterator.fromList(["a"]) },
      ["CONFLICT count"],
    ],
    [
      "a token for all variables",
      { variables: Fn.merge([{}]) as never },
      ["TOKEN_MISUSE variables"],
    ],
    ["an unknown property", { agent: "a" } as never, ["UNKNOWN_PROPERTY agent"]],
  ])("%s", (_name, props, expected) => {
    expect(
      found(refusal(() => new workspace.Module(newStack(), "m", { source, ...props }))),
    ).toEqual(expected);
  });
});
