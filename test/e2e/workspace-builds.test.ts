import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changesOf, stateOf, template, templateText, type Values } from "./support/template";
import { tools } from "./support/tool";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const password = "correct-horse-battery";
const folder = mkdtempSync(join(tmpdir(), "trivet-e2e-trace-"));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const body = `
data "workspace_workspace" "me" {}
data "workspace_workspace_owner" "me" {}

data "workspace_secret" "registry" {
  env          = "REGISTRY_PASSWORD"
  help_message = "Store the password of the registry under Account > Secrets."
}

data "workspace_parameter" "cores" {
  name    = "cores"
  type    = "number"
  default = 2
  mutable = true
  validation {
    min   = 1
    max   = 8
    error = "100% of %d cores, or %s: {value} is over {max}"
  }
}

resource "workspace_agent" "main" {
  os   = "linux"
  arch = "amd64"
  env = {
    OWNER = data.workspace_workspace_owner.me.name
  }
}

resource "workspace_agent" "side" {
  os             = "linux"
  arch           = "amd64"
  startup_script = "greet \${data.workspace_workspace_owner.me.name}"
}

resource "workspace_app" "web" {
  agent_id = workspace_agent.main.id
  slug     = "web"
  url      = "http://localhost:8080"
}

resource "terraform_data" "machine" {
  count = data.workspace_workspace.me.start_count
  input = {
    # Hashed, because Terraform logs what its own resources are given.
    tokens   = sha256("\${workspace_agent.main.token} \${workspace_agent.side.token}")
    password = sha256(data.workspace_secret.registry.value)
    boot     = workspace_agent.side.init_script
    cores    = data.workspace_parameter.cores.value
  }
}

output "agent" {
  value = workspace_agent.main.id
}
`;

const tokensOf = (state: ReadonlyMap<string, Values>): readonly unknown[] =>
  ["main", "side"].map((name) => state.get(`workspace_agent.${name}`)?.["token"]);

describe.each(tools)("the builds of a workspace under %s", (tool) => {
  it("start, keep, stop and delete it, and show no secret", async () => {
    const trace = join(folder, "trace.log");
    const { workspace, platform, said } = template(tool, { TF_LOG: "trace", TF_LOG_PATH: trace });
    workspace.write(templateText(body));
    const secretEnv = { REGISTRY_PASSWORD: password };
    const imported = await platform.importTemplate();
    expect(imported.whileStarted).toEqual(["terraform_data.machine[0]"]);

    const missing = platform.build({ transition: "start" });
    await expect(missing).rejects.toMatchObject({
      message: expect.stringMatching(/Store the password of the registry under Account/) as string,
      advice: expect.stringContaining("Add --secret-env REGISTRY_PASSWORD,") as string,
    });
    const parameters = { cores: "9" };
    const tooMany = platform.build({ transition: "start", secretEnv, parameters });
    await expect(tooMany).rejects.toThrow("100% of %d cores, or %s: 9 is over 8");

    const first = await platform.build({
      transition: "start",
      secretEnv,
      parameters: { cores: "4" },
    });
    const started = stateOf(first);
    expect(started.get("terraform_data.machine[0]")).toMatchObject({
      output: { value: { cores: "4", password: sha256(password) } },
    });
    const again = await platform.build({ transition: "start", secretEnv });
    expect(changesOf(again)).toEqual([]);
    expect(tokensOf(stateOf(again))).toEqual(tokensOf(started));

    const stopped = await platform.build({ transition: "stop" });
    expect(changesOf(stopped)).toEqual([
      "delete terraform_data.machine[0]",
      "update workspace_agent.main",
      "update workspace_agent.side",
    ]);
    const next = tokensOf(stateOf(stopped));
    for (const token of next) expect(tokensOf(started)).not.toContain(token);
    const restarted = await platform.build({ transition: "start", secretEnv });
    expect(changesOf(restarted)).toEqual(["create terraform_data.machine[0]"]);
    expect(tokensOf(stateOf(restarted))).toEqual(next);
    const id = (state: ReadonlyMap<string, Values>) => state.get("workspace_agent.main")?.["id"];
    expect(id(stateOf(restarted))).toBe(id(started));

    await platform.build({ transition: "delete" });
    const logged = readFileSync(trace, "utf8");
    expect(logged.includes("workspace_agent.main")).toBe(true);
    // A whole trace in a failure's message would be too long.
    const shown = [password, ...tokensOf(started), ...next].map(
      (secret) => logged.includes(String(secret)) || said.join("\n").includes(String(secret)),
    );
    expect(shown).not.toContain(true);
  });

  it("refuse the order of an instance that a stopped workspace does not have", async () => {
    const { workspace, platform } = template(tool);
    const ordered = (clone: string): string =>
      templateText(`${body}
resource "workspace_script" "clone" {
  count        = data.workspace_workspace.me.start_count
  agent_id     = workspace_agent.main.id
  display_name = "Clone"
  script       = "git clone"
  run_on_start = true
}

resource "workspace_script" "install" {
  agent_id     = workspace_agent.main.id
  display_name = "Install"
  script       = "npm ci"
  run_on_start = true
}

data "workspace_script_order" "order" {
  rule {
    run   = ["workspace_script.install"]
    after = ["${clone}"]
  }
}
`);
    workspace.write(ordered("workspace_script.clone[0]"));
    await expect(platform.importTemplate()).rejects.toMatchObject({
      code: "REFUSED",
      message:
        'data.workspace_script_order.order rule 0: the script has no instance "workspace_script.clone[0]". It has none.',
      advice: expect.stringContaining("also plans a stop") as string,
    });
    workspace.write(ordered("workspace_script.clone"));
    const { agents } = await platform.importTemplate();
    expect(agents.flatMap(({ scripts }) => scripts)).toMatchObject([
      { name: "Clone", after: [] },
      { name: "Install", after: ["Clone"] },
      { name: "Startup Script", after: [] },
    ]);
  });

  it("assign a prebuild to its owner without a new agent or token", async () => {
    const { workspace, platform } = template(tool);
    workspace.write(templateText(body));
    const prebuild = stateOf(await platform.build({ transition: "start", prebuild: true }));
    const claim = await platform.build({
      transition: "start",
      claim: true,
      owner: "ada",
      secretEnv: { REGISTRY_PASSWORD: password },
    });
    expect(changesOf(claim)).toEqual([
      "update terraform_data.machine[0]",
      "update workspace_agent.main",
      "update workspace_agent.side",
    ]);
    const claimed = stateOf(claim);
    expect(tokensOf(claimed)).toEqual(tokensOf(prebuild));
    expect(claimed.get("workspace_agent.main")).toMatchObject({
      id: prebuild.get("workspace_agent.main")?.["id"],
      env: { OWNER: "ada" },
    });
    expect(claimed.get("workspace_agent.side")?.["startup_script"]).toBe("greet ada");
  });
});
