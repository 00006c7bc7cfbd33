import { createHash } from "node:crypto";
import { join } from "node:path";
import { words } from "./support/command";
import { attachedTemplate, type AttachedTemplate, type Values } from "./support/template";
import { tools } from "./support/tool";

/** The build data that the platform passes. */
const build = (transition: "start" | "stop", id = "b1"): Readonly<Record<string, string>> => ({
  TRIVET_AGENT_URL: "https://workspaces.test/",
  TRIVET_WORKSPACE_BUILD_ID: id,
  TRIVET_WORKSPACE_TRANSITION: transition,
  TRIVET_WORKSPACE_TEMPLATE_ID: "t",
  TRIVET_WORKSPACE_TEMPLATE_NAME: "box",
  TRIVET_WORKSPACE_TEMPLATE_VERSION: "v1",
});

const parameterInput = (name: string, value: string): Readonly<Record<string, string>> => ({
  [`TRIVET_PARAMETER_${createHash("sha256").update(name).digest("hex")}`]: value,
});

const header = `terraform {
  required_providers {
    workspace = {
      source = "trivet.local/trivet/workspace"
    }
  }
}
`;

const agent = (name: string, os = "linux", more = ""): string =>
  `resource "workspace_agent" "${name}" {\n  os = "${os}"\n  arch = "amd64"\n${more}}\n`;

/** Every part of an agent, once. Changed strings update in place; a changed agent replaces. */
const parts = (agentName: string, text: string, count: number): string => `
resource "workspace_agent_instance" "it" {
  agent_id    = workspace_agent.${agentName}.id
  instance_id = "i-${text}"
}
resource "workspace_external_agent" "it" {
  agent_id = workspace_agent.${agentName}.id
}
resource "workspace_app" "it" {
  agent_id     = workspace_agent.${agentName}.id
  slug         = "${text}"
  display_name = "${text}"
  url          = "http://localhost:${count}"
  order        = ${count}
  healthcheck {
    url       = "http://localhost:${count}/healthz"
    interval  = ${count}
    threshold = 3
  }
}
resource "workspace_ai_task" "it" {
  app_id = "${String(count).repeat(8)}-1111-4111-8111-111111111111"
}
resource "workspace_devcontainer" "it" {
  agent_id         = workspace_agent.${agentName}.id
  workspace_folder = "/${text}"
}
resource "workspace_env" "it" {
  agent_id = workspace_agent.${agentName}.id
  name     = "NAME_${count}"
  value    = "${text}"
}
resource "workspace_script" "it" {
  agent_id     = workspace_agent.${agentName}.id
  display_name = "${text}"
  script       = "${text}"
  run_on_start = true
  timeout      = ${count}
}
resource "workspace_metadata" "it" {
  resource_id = terraform_data.machine.id
  daily_cost  = ${count}
  item {
    key   = "${text}"
    value = "${text}"
  }
}
resource "terraform_data" "machine" {}
`;

const filledBlocks = `
  display_apps {
    editor       = false
    web_terminal = false
  }
  metadata {
    key      = "load"
    script   = "uptime"
    interval = 10
  }
  metadata {
    key      = "disk"
    script   = "df"
    interval = 60
    timeout  = 5
  }
  resources_monitoring {
    memory {
      enabled   = true
      threshold = 90
    }
    volume {
      path      = "/home"
      enabled   = true
      threshold = 80
    }
    volume {
      path      = "/var"
      enabled   = true
      threshold = 70
    }
  }
`;

const fewerBlocks = `
  display_apps {
    editor = false
  }
  metadata {
    key      = "disk"
    script   = "df"
    interval = 60
  }
  resources_monitoring {
    volume {
      path      = "/var"
      enabled   = true
      threshold = 70
    }
  }
`;

const started = async (...given: Parameters<typeof attachedTemplate>) => {
  const made = await attachedTemplate(...given);
  made.become(build("start"));
  return made;
};

const valuesOf = async ({ workspace }: AttachedTemplate, address: string): Promise<Values> =>
  (await workspace.state()).get(address)?.values ?? {};

describe.each(tools)("resources of the workspace provider under %s", (tool) => {
  it("are created, kept, changed in place, replaced and destroyed", async () => {
    const { workspace } = await started(tool);
    const write = (agentName: string, text: string, count: number): void =>
      workspace.write(header + agent("one") + agent("two") + parts(agentName, text, count));
    write("one", "first", 1);
    await workspace.init();
    expect((await workspace.apply()).output).toContain("11 added, 0 changed, 0 destroyed");
    expect(await workspace.plansChanges()).toBe(false);
    const before = await workspace.state();

    write("one", "second", 2);
    expect((await workspace.apply()).output).toContain("0 added, 7 changed, 0 destroyed");
    expect(await workspace.plansChanges()).toBe(false);
    const after = await workspace.state();
    const ids = (state: typeof before) =>
      [...state].map(([address, { values }]) => [address, values["id"]]);
    expect(ids(after)).toEqual(ids(before));

    write("two", "second", 2);
    expect((await workspace.apply()).output).toContain("6 added, 0 changed, 6 destroyed");
    expect(await workspace.plansChanges()).toBe(false);
    const { output } = await workspace.run("destroy", "-auto-approve");
    expect(output).toContain("11 destroyed");
  });

  it("converge when blocks are removed", async () => {
    const template = await started(tool);
    const { workspace } = template;
    const app = (block: string): string =>
      `resource "workspace_app" "web" {\n  agent_id = workspace_agent.main.id\n  slug = "web"\n  url = "http://localhost:1"\n${block}}\n`;
    const metadata = (items: string): string =>
      `resource "workspace_metadata" "web" {\n  resource_id = workspace_app.web.id\n${items}}\n`;
    const check =
      '  healthcheck {\n    url = "http://localhost:1"\n    interval = 1\n    threshold = 1\n  }\n';
    const item = (key: string): string => `  item {\n    key = "${key}"\n    value = "1"\n  }\n`;
    workspace.write(
      header + agent("main", "linux", filledBlocks) + app(check) + metadata(item("a") + item("b")),
    );
    await workspace.init();
    await workspace.apply();
    expect(await workspace.plansChanges()).toBe(false);

    workspace.write(header + agent("main", "linux", fewerBlocks) + app("") + metadata(item("b")));
    expect((await workspace.apply()).output).toContain("0 added, 3 changed, 0 destroyed");
    expect(await workspace.plansChanges()).toBe(false);
    expect(await valuesOf(template, "workspace_agent.main")).toMatchObject({
      display_apps: [{ editor: false, web_terminal: true }],
      metadata: [{ key: "disk", timeout: null }],
      resources_monitoring: [{ memory: [], volume: [{ path: "/var" }] }],
    });

    workspace.write(header + agent("main") + app("") + metadata(""));
    expect((await workspace.apply()).output).toContain("0 added, 2 changed, 0 destroyed");
    expect(await workspace.plansChanges()).toBe(false);
    expect(await valuesOf(template, "workspace_agent.main")).toMatchObject({
      metadata: [],
      resources_monitoring: [],
      display_apps: [{ editor: true }],
    });
    await workspace.run("destroy", "-auto-approve");
  });

  it("keep an agent's token in a refresh, and get a new one with a new agent", async () => {
    const template = await started(tool);
    const { workspace } = template;
    const script = (text: string) => ({ TRIVET_AGENT_SCRIPT_linux_amd64: text });
    const tokenOf = async () => (await valuesOf(template, "workspace_agent.main"))["token"];
    workspace.write(header + agent("main"));
    await workspace.init();
    template.become({ ...build("start"), ...script("boot one") });
    await workspace.apply();
    const token = await tokenOf();

    template.become({ ...build("start", "b2"), ...script("boot two") });
    expect(await workspace.plansChanges("-refresh=false")).toBe(false);
    await workspace.apply("-refresh-only");
    expect(await valuesOf(template, "workspace_agent.main")).toMatchObject({
      token,
      init_script: "boot two",
    });
    template.become({});
    expect(await workspace.plansChanges()).toBe(false);

    template.become(build("start", "b3"));
    workspace.write(header + agent("main", "darwin"));
    expect((await workspace.apply()).output).toContain("1 added, 0 changed, 1 destroyed");
    expect(await tokenOf()).toMatch(/^[\da-f-]{36}$/);
    expect(await tokenOf()).not.toBe(token);
  });

  it("are created from a saved plan in the environment of the apply", async () => {
    const template = await started(tool);
    const { workspace } = template;
    const plan = join(workspace.folder, "plan");
    workspace.write(
      `${header}data "workspace_parameter" "cores" {\n  name = "cores"\n  type = "number"\n  default = 2\n}\n` +
        agent("main") +
        `resource "terraform_data" "machine" {\n  input = data.workspace_parameter.cores.value\n}\n`,
    );
    await workspace.init();
    template.become({ ...build("start"), ...parameterInput("cores", "8") });
    await workspace.run("plan", `-out=${plan}`);
    template.become(build("start"));
    await workspace.run("apply", plan);
    const before = await valuesOf(template, "workspace_agent.main");
    expect(await valuesOf(template, "terraform_data.machine")).toMatchObject({ output: "8" });

    template.become({ ...build("stop", "b2"), ...parameterInput("cores", "8") });
    await workspace.run("plan", `-out=${plan}`);
    template.become(build("stop", "b2"));
    await workspace.run("apply", plan);
    const after = await valuesOf(template, "workspace_agent.main");
    expect(after["id"]).toBe(before["id"]);
    expect(after["token"]).not.toBe(before["token"]);
    // This build's token is created.
    template.become({ ...build("stop", "b2"), ...parameterInput("cores", "8") });
    expect(await workspace.plansChanges()).toBe(false);
  });

  it("show a secret only in outputs marked as sensitive", async () => {
    const template = await started(tool);
    const { workspace } = template;
    const secret = "correct-horse-battery";
    const outputs = (value: string): string =>
      `data "workspace_secret" "it" {\n  env = "KEY"\n  help_message = "Store KEY."\n}\n${agent("main")}output "it" {\n  value = ${value}\n}\n`;
    template.become({ ...build("start"), TRIVET_SECRET_ENV_KEY: secret });
    workspace.write(header + outputs("data.workspace_secret.it.env"));
    await workspace.init();
    const plan = join(workspace.folder, "plan");
    const planned = await workspace.run("plan", `-out=${plan}`);
    expect(planned.output).not.toContain(secret);
    const shown = JSON.parse((await workspace.run("show", "-json", plan)).stdout) as {
      readonly output_changes: unknown;
      readonly planned_values: unknown;
    };
    expect(JSON.stringify([shown.output_changes, shown.planned_values])).not.toContain(secret);
    const applied = await workspace.run("apply", plan);
    const { token } = await valuesOf(template, "workspace_agent.main");
    expect(applied.output).not.toContain(token);

    for (const value of ["data.workspace_secret.it.value", "workspace_agent.main.token"]) {
      workspace.write(header + outputs(`"\${${value}}!"`));
      const { code, output } = await workspace.attempt(["plan"]);
      expect(code).toBe(1);
      expect(words(output)).toContain("Output refers to sensitive values");
      expect(output).not.toContain(secret);
      expect(output).not.toContain(token);
    }
  });
});
