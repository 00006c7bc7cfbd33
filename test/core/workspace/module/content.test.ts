import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { App, TerraformStack, Token } from "cdktf";
import { workspace } from "../../../../src";
import { temporaryFolder } from "../../../local/workspace/temporary-folder";
import { found, newAgent, newStack, refusal, synthesized, warnings } from "../synthesized";

const editor = `
variable "agent_id" {
  type = string # of the agent
}

variable "slug" {
  type    = string
  default = "editor" // unless there are two
}

variable "port" {
  type    = number
  default = 8080
}

variable "flags" {
  default = []
  type    = list(string)
}

variable "settings" {
  type = map(object({
    name = string
  }))
  default = {}
}

variable "offline" {
  type    = bool
  default = false
}

resource "workspace_app" "editor" {
  agent_id = var.agent_id
  slug     = "\${var.slug}"
  url      = "http://localhost:\${var.port}"
}

resource "workspace_app" "extra" {
  count    = var.offline ? 0 : 1
  agent_id = var.agent_id
  slug     = "extra"
  url      = "http://localhost"
}

output "url" {
  value = workspace_app.editor.url
}
`;

const region = `
variable "name" {
  default = "region"
}

data "workspace_parameter" "region" {
  name    = var.name
  default = "eu"
}

data "workspace_workspace_preset" "near" {
  name = "Near"
}

output "value" {
  value = data.workspace_parameter.region.value
}
`;

/** Writes a module, and returns its folder. */
function written(text: string): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "main.tf"), text);
  return folder;
}

const problemOf = (build: () => unknown): string => refusal(build).message;

function synthesisProblem(stack: TerraformStack): string {
  try {
    synthesized(stack);
  } catch (error) {
    return error instanceof Error
      ? error.message.replaceAll(/: 1 problem\n +/g, ": ")
      : String(error);
  }
  return "";
}

describe("a module in a folder", () => {
  test("is a part of the synthesized stack, and takes values of its types", () => {
    const stack = newStack();
    const module = newAgent(stack).addModule("editor", {
      source: written(editor),
      variables: {
        port: "8081",
        flags: Token.asList("${var.flags}"),
        settings: { a: { name: "b" } },
        offline: "true",
        slug: Token.asString("${var.slug}"),
      },
    });
    expect(module.getString("url")).toMatch(/TfToken/);
    expect(JSON.stringify(synthesized(stack)["module"])).toMatch(/"source":".\/assets\//);
    expect(module.node.metadata.filter(({ type }) => type.includes("aws:cdk:info"))).toEqual([]);
  });

  test("says which variables it has, needs, and of which types", () => {
    const source = written(editor);
    const build = () =>
      new workspace.Module(newStack(), "m", {
        source,
        variables: { prot: 1, port: "many", flags: "a", settings: [], offline: "no", slug: {} },
      });
    expect(problemOf(build)).toContain(
      'variables.prot: is not a variable of the module; did you mean "port"?',
    );
    expect(found(refusal(build))).toEqual([
      "UNKNOWN_PROPERTY variables.prot",
      "MISSING agentId",
      "WRONG_TYPE variables.port",
      "WRONG_TYPE variables.flags",
      "WRONG_TYPE variables.settings",
      "WRONG_TYPE variables.offline",
      "WRONG_TYPE variables.slug",
    ]);
  });

  // As `tobool` and `tonumber` of Terraform 1.11.4 do.
  test.each<[kind: string, accepted: readonly unknown[], refused: readonly unknown[]]>([
    ["bool", [true, "false", "1", "0"], [1, "True", "yes"]],
    ["number", [1, "+5", ".5", "5.", "1.e5", "-.5"], [true, "", "0x10"]],
    ["string", ["a", 1, true], [["a"]]],
  ])("takes what Terraform converts to a %s", (kind, accepted, refused) => {
    const source = written(`variable "v" {\n  type = ${kind}\n}\n`);
    const build = (v: unknown) =>
      new workspace.Module(newStack(), "m", { source, variables: { v } });
    for (const v of accepted) expect(() => build(v)).not.toThrow();
    for (const v of refused)
      expect(found(refusal(() => build(v)))).toEqual(["WRONG_TYPE variables.v"]);
  });

  test("needs and checks variables and types with names that all objects have", () => {
    const text = 'variable "toString" {\n}\nvariable "v" {\n  type = constructor\n}\n';
    const build = () =>
      new workspace.Module(newStack(), "m", { source: written(text), variables: { v: 1 } });
    expect(found(refusal(build))).toEqual(["MISSING variables.toString"]);
  });

  test("says which outputs it has", () => {
    const stack = newStack();
    const module = new workspace.Module(stack, "region", { source: written(region) });
    expect(problemOf(() => module.getString("valeu"))).toContain('did you mean "value"?');
    const agentId = newAgent(stack).agentId;
    expect(
      problemOf(
        () => new workspace.Module(stack, "m", { source: module.resource.source, agentId }),
      ),
    ).toContain("must be a folder that exists");
    expect(
      found(refusal(() => new workspace.Module(stack, "n", { source: written(region), agentId }))),
    ).toEqual(["UNKNOWN_PROPERTY agentId"]);
  });

  test("has slugs of its own, also beside apps of the stack and of other modules", () => {
    const stack = newStack();
    const agent = newAgent(stack);
    const source = written(editor);
    agent.addApp("Editor", { slug: "editor", url: "http://localhost" });
    agent.addApp("extra", { url: "http://localhost" });
    agent.addModule("first", { source });
    agent.addModule("second", { source, variables: { slug: "second" } });
    agent.addModule("third", { source, variables: { slug: "second" }, count: 1 });
    agent.addModule("never", { source, count: 0 });
    agent.addModule("open", { source, variables: { slug: Token.asString("${var.x}") } });
    const problem = synthesisProblem(stack);
    expect(problem).toContain(
      'workspace.Module at Demo/main/first: has an app whose slug must differ from that of Demo/main/Editor: it must be unique in the template, across all agents and ignoring case (got "editor")',
    );
    expect(problem).toContain(
      "Demo/main/third: has an app whose slug must differ from that of Demo/main/second",
    );
    expect(problem).not.toMatch(/never|open|extra/);
  });

  test("has parameters and presets with names of their own", () => {
    const stack = newStack();
    const source = written(region);
    new workspace.DataParameter(stack, "mine", { name: "region", default: "eu" });
    new workspace.Module(stack, "a", { source });
    new workspace.Module(stack, "b", { source, variables: { name: "other" } });
    const problem = synthesisProblem(stack);
    expect(problem).toContain(
      "Demo/a: has a parameter whose name must differ from that of Demo/mine",
    );
    expect(problem).toContain("Demo/b: has a preset whose name must differ from that of Demo/a");
  });

  test("has parameters that presets of the stack can set, and no others", () => {
    const stack = newStack();
    new workspace.Module(stack, "a", { source: written(region) });
    const preset = new workspace.DataWorkspacePreset(stack, "far", {
      name: "Far",
      parameters: { region: "us", regoin: "us" },
    });
    synthesized(stack);
    expect(warnings(preset)).toEqual([
      expect.stringMatching(/^parameters.regoin: .*did you mean "region"\?/) as string,
    ]);
  });
});

test("what a module calls is in its folder, which is all that the stack gets", () => {
  const outer = `${region}\nmodule "inner" {\n  source = "./inner"\n}\n`;
  const build = (text: string) => new workspace.Module(newStack(), "m", { source: written(text) });
  expect(() => build(outer)).not.toThrow();
  expect(() => build(outer.replace("./inner", "./a/../inner"))).not.toThrow();
  expect(problemOf(() => build(outer.replace("./inner", "../inner")))).toContain(
    'source: must contain the modules that it calls, because only this folder is copied into the stack (it calls "../inner")',
  );
  expect(problemOf(() => build(outer.replace("./inner", "./../inner")))).toContain(
    '(it calls "./../inner")',
  );
});

test("an agent is dropped if nothing but parts of the platform depend on it", () => {
  const machine = 'resource "terraform_data" "machine" {}\n';
  const warned = (text: string): unknown[] => {
    const stack = newStack();
    const agent = newAgent(stack);
    agent.addModule("m", { source: written(text) });
    synthesized(stack);
    return warnings(agent);
  };
  expect(warned(editor)).toEqual([expect.stringContaining("is dropped") as string]);
  expect(warned(editor + machine)).toEqual([]);
  expect(warned(`${editor}module "vm" {\n  source = "./vm"\n}\n`)).toEqual([]);
});

test("the agent of a module is one instance, in the same stack", () => {
  const stack = newStack();
  new workspace.Agent(stack, "dev", { os: "linux", arch: "amd64", count: 1 });
  const source = "registry.coder.com/coder/code-server/coder";
  const at = (id: string, agentId: string) => new workspace.Module(stack, id, { source, agentId });
  at("bare", "${workspace_agent.dev.id}");
  at("first", "${workspace_agent.dev[0].id}");
  at("only", "${one(workspace_agent.dev[*].id)}");
  at("other", newAgent(newStack(), "other").agentId);
  const problem = synthesisProblem(stack);
  expect(problem).toContain(
    'Demo/bare: agentId: must refer to one instance of workspace_agent.dev, which has a count: write "${workspace_agent.dev[0].id}"',
  );
  expect(problem).toContain("Demo/other: agentId: must be the ID of an agent in this stack");
  expect(problem).not.toMatch(/first|only/);
});

describe("a module that Terraform has fetched", () => {
  const source = "registry.coder.com/coder/code-server/coder";

  function fetched(version?: string): TerraformStack {
    const outdir = temporaryFolder();
    const stack = new TerraformStack(new App({ outdir }), "dev");
    new workspace.WorkspaceProvider(stack, "workspace");
    if (version === undefined) return stack;
    const folder = join(outdir, "stacks", "dev", ".terraform", "modules");
    mkdirSync(join(folder, "editor"), { recursive: true });
    writeFileSync(join(folder, "editor", "main.tf"), editor);
    const entry = {
      Key: "editor",
      Source: source,
      Version: version,
      Dir: ".terraform/modules/editor",
    };
    writeFileSync(
      join(folder, "modules.json"),
      JSON.stringify({ Modules: [{ Key: "", Dir: "." }, entry] }),
    );
    return stack;
  }

  const call = (stack: TerraformStack, version: string | undefined) =>
    new workspace.Module(stack, "editor", {
      source,
      version,
      agentId: "a",
      variables: { prot: 1 },
    });

  test("is checked as its folder if it has the version of the call", () => {
    const stack = fetched("1.3.1");
    expect(found(refusal(() => call(stack, "1.3.1")))).toEqual(["UNKNOWN_PROPERTY variables.prot"]);
  });

  test("only leads to a warning if the call allows others", () => {
    const module = call(fetched("1.3.1"), "~> 1.0");
    expect(warnings(module)).toEqual([
      expect.stringContaining(
        'variables.prot: is not a variable of the module in version 1.3.1, which terraform init has fetched; did you mean "port"?',
      ) as string,
    ]);
  });

  test.each([
    ["nothing is fetched", undefined, "1.3.1"],
    ["another version is fetched", "1.0.0", "1.3.1"],
  ])("is noted as unknown if %s", (_name, has, version) => {
    const { node } = call(fetched(has), version);
    expect(node.metadata).toEqual([
      expect.objectContaining({
        type: expect.stringContaining("info") as string,
        data: expect.stringContaining("are missing") as string,
      }) as unknown,
    ]);
  });
});
