import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildEnvironment } from "../../../src/core/workspace/build/build-environment";
import {
  LocalPlatform,
  type LocalPlatformSettings,
} from "../../../src/local/workspace/local-platform";
import { dotOf } from "./resources";
import { RecordingTerraform } from "./recording-terraform";
import { temporaryFolder } from "./temporary-folder";

/** A platform with a Terraform that only records its calls. */
function recordingPlatform(settings: Partial<LocalPlatformSettings> = {}) {
  const base = temporaryFolder();
  const template = join(base, "template");
  mkdirSync(template);
  // What it declares, the fake Terraform decides.
  writeFileSync(join(template, "main.tf"), 'data "workspace_parameter" "any" {}');
  const terraform = new RecordingTerraform(join(base, "bin"));
  const stateFolder = join(base, "state");
  const again = (more: Partial<LocalPlatformSettings> = {}) =>
    new LocalPlatform({ template, stateFolder, terraform: terraform.binary, ...settings, ...more });
  return { platform: again(), again, terraform, template, stateFolder };
}

const parameter = (name: string, value: string, more: object = {}) => ({
  address: `data.workspace_parameter.${name}`,
  mode: "data",
  type: "workspace_parameter",
  name,
  values: { name, type: "string", value, default: value, mutable: true, optional: true, ...more },
});

const planOf = (...resources: object[]) => ({
  prior_state: { values: { root_module: { resources } } },
});

/** A state with agents that run on a machine, and its graph. */
const agentState = (...agents: { readonly id: string; readonly token: string }[]) => {
  const all = agents.map((values, at) => ({
    address: `workspace_agent.a${at}`,
    mode: "managed",
    type: "workspace_agent",
    name: `a${at}`,
    values,
  }));
  const machine = { address: "vm.a", mode: "managed", type: "vm", name: "a", values: {} };
  return {
    state: { values: { root_module: { resources: [...all, machine] } } },
    graph: dotOf(...all.map(({ address }) => ["vm.a", address] as const)),
  };
};

/** The tests of this package set it for all processes. */
const isOfEachProvider = (name: string): boolean => name === "TRIVET_CODE_CACHE";

const productVariables = (env: Readonly<Record<string, string>>) =>
  Object.keys(env).filter((name) => name.startsWith("TRIVET_") && !isOfEachProvider(name));

it("applies the default preset to a new workspace, unless another one or none is chosen", async () => {
  const lines: string[] = [];
  const { platform, terraform } = recordingPlatform({ log: (line) => lines.push(line) });
  const preset = {
    address: "data.workspace_workspace_preset.p",
    mode: "data",
    type: "workspace_workspace_preset",
    name: "p",
    values: { name: "Large", default: true, parameters: { size: "9" } },
  };
  terraform.prints({ plan: planOf(parameter("size", "9"), preset) });
  await platform.build({ transition: "start", workspace: "a" });
  expect(lines).toContain('The default preset "Large" is applied.');
  lines.length = 0;
  await platform.build({ transition: "start", workspace: "a" });
  await platform.build({ transition: "start", workspace: "b", preset: "none" });
  expect(lines.filter((line) => line.includes("preset"))).toEqual([]);
});

describe("an import", () => {
  it("plans a start and a stop without build, workspace, owner and inputs", async () => {
    const { platform, terraform } = recordingPlatform();
    await platform.importTemplate();
    const plans = terraform.commands.filter(({ verb }) => verb === "plan");
    const seen = plans.map(({ env }) => buildEnvironment(env));
    expect(seen.map(({ transition }) => transition)).toEqual(["start", "stop"]);
    for (const environment of seen) {
      expect(environment.isRealBuild).toBe(false);
      expect(environment.workspace).toMatchObject({ id: "", name: "default", isPrebuild: false });
      expect(environment.owner).toMatchObject({ id: "", name: "default", sessionToken: "" });
      expect(environment.owner.groups).toEqual({ ok: true, value: ["Everyone"] });
      expect(environment.owner.rbacRoles).toEqual({ ok: true, value: [] });
      expect(environment.agentUrl).toBe("http://localhost:3000");
      expect(environment.agentScript("linux", "amd64")).toContain("${ACCESS_URL}");
    }
  });

  it("applies nothing and leaves no working copy", async () => {
    const { platform, terraform } = recordingPlatform();
    await platform.importTemplate({ variables: { region: "eu" } });
    expect(terraform.commands.map(({ verb }) => verb)).toEqual([
      "init",
      "plan",
      "show",
      "graph",
      "plan",
      "show",
      "graph",
    ]);
    expect(terraform.last("plan").args).toEqual(expect.arrayContaining(["-var", "region=eu"]));
    expect(terraform.last("plan").args).not.toContain("-destroy");
  });
});

describe("a build", () => {
  it("passes the workspace, its owner and its template to plan and apply", async () => {
    const { platform, terraform } = recordingPlatform({ accessUrl: "https://dev.test" });
    await platform.build({ transition: "start", workspace: "blue", owner: "ada" });
    for (const verb of ["plan", "apply"]) {
      const environment = buildEnvironment(terraform.last(verb).env);
      expect(environment.isRealBuild).toBe(true);
      expect(environment.workspace).toMatchObject({
        name: "blue",
        transition: "start",
        isPrebuild: false,
        isPrebuildClaim: false,
        template: { name: "template", version: "local", missingVariables: [] },
      });
      expect(environment.owner).toMatchObject({
        name: "ada",
        fullName: "Ada",
        email: "ada@example.com",
        loginType: "password",
        groups: { ok: true, value: ["Everyone"] },
      });
      expect(environment.owner.sessionToken).toMatch(/^[\w-]{43}$/);
      expect(environment.agentUrl).toBe("https://dev.test");
    }
    const [plan, apply] = ["plan", "apply"].map((verb) =>
      buildEnvironment(terraform.last(verb).env),
    );
    expect(plan?.buildId).toBe(apply?.buildId);
    expect(plan?.owner.sessionToken).toBe(apply?.owner.sessionToken);
  });

  it("passes parameters and external tokens only to plan", async () => {
    const { platform, terraform } = recordingPlatform();
    terraform.prints({ plan: planOf(parameter("region", "eu"), parameter("empty", "")) });
    await platform.build({
      transition: "start",
      parameters: { region: "eu", empty: "" },
      externalAuth: { git: "t" },
      secretEnv: { KEY: "k" },
      secretFiles: { "~/.netrc": "n" },
    });
    const plan = buildEnvironment(terraform.last("plan").env);
    const apply = buildEnvironment(terraform.last("apply").env);
    expect([plan.parameter("region"), plan.parameter("empty")]).toEqual(["eu", ""]);
    expect(plan.externalAuthToken("git")).toBe("t");
    expect([apply.parameter("region"), apply.externalAuthToken("git")]).toEqual([undefined, ""]);
    for (const environment of [plan, apply]) {
      expect(environment.secretByEnv("KEY")).toBe("k");
      expect(environment.secretByFile("~/.netrc")).toBe("n");
    }
  });

  it("refuses a parameter that the template does not have", async () => {
    const { platform, terraform } = recordingPlatform();
    terraform.prints({ plan: planOf(parameter("region", "us")) });
    await expect(
      platform.build({ transition: "start", parameters: { regoin: "eu" } }),
    ).rejects.toMatchObject({
      message: 'The parameter "regoin" is not present in the template; did you mean "region"?',
      advice: 'It has "region".',
    });
  });

  it("passes nothing to init, show and graph", async () => {
    const { platform, terraform } = recordingPlatform();
    await platform.build({ transition: "start" });
    for (const verb of ["init", "show", "graph"]) {
      expect(productVariables(terraform.last(verb).env)).toEqual([]);
    }
  });

  it("inherits neither the product's variables nor those that would move the state", async () => {
    const env = {
      PATH: process.env["PATH"],
      TRIVET_WORKSPACE_OWNER: "mallory",
      TRIVET_OTHER: "1",
      TF_WORKSPACE: "x",
      TF_DATA_DIR: "y",
      KEPT: "z",
    };
    const { platform, terraform } = recordingPlatform({ env });
    await platform.build({ transition: "start" });
    const seen = terraform.last("plan").env;
    expect(buildEnvironment(seen).owner.name).toBe("dev");
    expect(Object.keys(seen)).not.toEqual(expect.arrayContaining(["TRIVET_OTHER"]));
    expect([seen["TF_WORKSPACE"], seen["TF_DATA_DIR"], seen["KEPT"]]).toEqual([
      undefined,
      undefined,
      "z",
    ]);
  });

  it("uses another product's variables on request", async () => {
    const { platform, terraform } = recordingPlatform({ environmentPrefix: "ACME" });
    await platform.build({ transition: "start" });
    expect(buildEnvironment(terraform.last("plan").env, "ACME").isRealBuild).toBe(true);
    expect(productVariables(terraform.last("plan").env)).toEqual([]);
  });

  it("uses the same placeholders in each build, and new secrets and build IDs", async () => {
    const { again, terraform } = recordingPlatform();
    const builds = [];
    for (const platform of [again(), again()]) {
      await platform.build({ transition: "start" });
      builds.push(buildEnvironment(terraform.last("plan").env));
    }
    const [first, second] = builds;
    expect(second?.workspace).toEqual(first?.workspace);
    expect(second?.owner.id).toBe(first?.owner.id);
    expect(second?.owner.sshPublicKey).toBe(first?.owner.sshPublicKey);
    expect(second?.buildId).not.toBe(first?.buildId);
    expect(second?.owner.sessionToken).not.toBe(first?.owner.sessionToken);
  });

  it("has no session token unless it starts the workspace", async () => {
    const { platform, terraform } = recordingPlatform();
    await platform.build({ transition: "start" });
    await platform.build({ transition: "stop" });
    const environment = buildEnvironment(terraform.last("apply").env);
    expect(environment).toMatchObject({ transition: "stop", owner: { sessionToken: "" } });
  });

  it("plans the destruction when it deletes", async () => {
    const { platform, terraform } = recordingPlatform();
    await platform.build({ transition: "start" });
    const report = await platform.build({ transition: "delete" });
    expect(terraform.last("plan").args).toContain("-destroy");
    expect(buildEnvironment(terraform.last("plan").env).transition).toBe("destroy");
    expect(report).toMatchObject({ skipped: false, statePath: undefined });
  });

  it("passes the values of the last build, as inputs and as previous values", async () => {
    const { platform, terraform } = recordingPlatform();
    const prints = (size: string, once: string) => {
      const ephemeral = parameter("once", once, { ephemeral: true });
      terraform.prints({ plan: planOf(parameter("size", size), ephemeral) });
    };
    prints("1", "no");
    await platform.importTemplate();
    prints("1", "yes");
    await platform.build({ transition: "start", parameters: { once: "yes" } });
    const first = buildEnvironment(terraform.last("plan").env);
    expect([first.previousParameter("size"), first.parameter("once")]).toEqual([undefined, "yes"]);
    prints("2", "no");
    await platform.build({ transition: "start", parameters: { size: "2" } });
    const second = buildEnvironment(terraform.last("plan").env);
    expect([second.previousParameter("size"), second.parameter("size")]).toEqual(["1", "2"]);
    expect([second.previousParameter("once"), second.parameter("once")]).toEqual([undefined, "no"]);
    for (const transition of ["stop", "delete"] as const) {
      await platform.build({ transition });
      const ended = buildEnvironment(terraform.last("plan").env);
      // An ephemeral parameter has its default again.
      expect([ended.parameter("size"), ended.parameter("once")]).toEqual(["2", "no"]);
    }
  });

  it("passes the defaults of all parameters, and requires a value of any other", async () => {
    const { platform, terraform } = recordingPlatform();
    const required = parameter("region", "", { optional: false, default: null });
    terraform.prints({ plan: planOf(parameter("size", "1"), parameter("note", ""), required) });
    await expect(platform.build({ transition: "start" })).rejects.toMatchObject({
      code: "REFUSED",
      message:
        'parameter "region": Required parameter not provided; parameter value is null (as of coder 2.24, seen with 2.26)',
    });
    await platform.importTemplate();
    const entered = parameter("region", "eu");
    terraform.prints({ plan: planOf(parameter("size", "1"), parameter("note", ""), entered) });
    await platform.build({ transition: "start", parameters: { region: "eu" } });
    const plans = terraform.commands.filter(({ verb }) => verb === "plan");
    const [imported, built] = [plans[0], plans.at(-1)];
    expect(buildEnvironment(imported?.env ?? {}).isRealBuild).toBe(false);
    const environment = buildEnvironment(built?.env ?? {});
    expect(environment.isRealBuild).toBe(true);
    const values = ["size", "note", "region"].map((name) => environment.parameter(name));
    expect(values).toEqual(["1", "", "eu"]);
  });

  it("imports a template once, and again when it or its variables have changed", async () => {
    const { platform, terraform, template } = recordingPlatform();
    const imports = () =>
      terraform.commands.filter(({ args }) => args.includes("-out=import.tfplan")).length;
    await platform.build({ transition: "start" });
    await platform.build({ transition: "stop" });
    expect(imports()).toBe(1);
    writeFileSync(join(template, "main.tf"), "# changed");
    await platform.build({ transition: "start" });
    expect(imports()).toBe(2);
    await platform.build({ transition: "start", variables: { x: "1" } });
    expect(imports()).toBe(3);
  });

  it("imports nothing after an import, and nothing for a deletion", async () => {
    const { platform, terraform, template } = recordingPlatform();
    await platform.importTemplate();
    const plans = () => terraform.commands.filter(({ verb }) => verb === "plan").length;
    expect(plans()).toBe(2);
    await platform.build({ transition: "start" });
    expect(plans()).toBe(3);
    writeFileSync(join(template, "main.tf"), "# broken");
    await platform.build({ transition: "delete" });
    expect(plans()).toBe(4);
  });

  it("uses the inputs of a preset instead of those of the request", async () => {
    const { platform, terraform } = recordingPlatform();
    const values = { name: "Small", parameters: { size: "1", region: "eu" } };
    const preset = { mode: "data", type: "workspace_workspace_preset", name: "p", values };
    const parameters = [parameter("size", "1"), parameter("region", "eu")];
    terraform.prints({
      plan: planOf({ address: "data.workspace_workspace_preset.p", ...preset }, ...parameters),
    });
    await platform.build({ transition: "start", preset: "Small", parameters: { size: "2" } });
    const [first, second] = terraform.commands.filter(({ verb }) => verb === "plan");
    expect(buildEnvironment(first?.env ?? {}).isRealBuild).toBe(false);
    const environment = buildEnvironment(second?.env ?? {});
    expect([environment.parameter("size"), environment.parameter("region")]).toEqual(["1", "eu"]);
    await expect(platform.build({ transition: "start", preset: "Big" })).rejects.toMatchObject({
      code: "REQUEST",
      advice: 'It has "Small".',
    });
  });

  it("creates a task's workspace, which remains one", async () => {
    const { platform, terraform } = recordingPlatform();
    await platform.build({ transition: "start", taskPrompt: "fix it" });
    const { task } = buildEnvironment(terraform.last("apply").env);
    expect(task).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      prompt: "fix it",
    });
    await platform.build({ transition: "stop" });
    expect(buildEnvironment(terraform.last("plan").env).task).toEqual(task);
  });
});

describe("a prebuild and its claim", () => {
  it("changes the owner and the name, and keeps the ID", async () => {
    const { platform, terraform } = recordingPlatform();
    await platform.build({ transition: "start", workspace: "blue", prebuild: true });
    const ahead = buildEnvironment(terraform.last("apply").env);
    expect(ahead.workspace).toMatchObject({ name: "prebuild-blue", isPrebuild: true });
    expect(ahead.owner.name).toBe("prebuilds");
    await platform.build({ transition: "start", workspace: "blue", claim: true, owner: "ada" });
    const claimed = buildEnvironment(terraform.last("apply").env);
    expect(claimed.workspace).toMatchObject({
      id: ahead.workspace.id,
      name: "blue",
      isPrebuild: false,
      isPrebuildClaim: true,
    });
    expect(claimed.owner.name).toBe("ada");
    await platform.build({ transition: "start", workspace: "blue" });
    expect(buildEnvironment(terraform.last("apply").env).workspace.isPrebuildClaim).toBe(false);
  });

  const tokens = async (...agents: { readonly id: string; readonly token: string }[]) => {
    const { platform, terraform } = recordingPlatform();
    terraform.prints(agentState(...agents));
    await platform.build({ transition: "start", prebuild: true });
    const before = buildEnvironment(terraform.last("apply").env);
    await platform.build({ transition: "start", claim: true });
    const claims = ["plan", "apply"].map((verb) => buildEnvironment(terraform.last(verb).env));
    await platform.build({ transition: "start" });
    return { before, claims, after: buildEnvironment(terraform.last("plan").env) };
  };

  it("passes the token of a sole agent under the hash of the empty string, only to a claim", async () => {
    const { before, claims, after } = await tokens({ id: "a1", token: "t1" });
    expect(before.soleRunningAgentToken).toBeUndefined();
    for (const claim of claims) {
      expect(claim.soleRunningAgentToken).toBe("t1");
      expect(claim.runningAgentToken("a1")).toBeUndefined();
    }
    expect(after.soleRunningAgentToken).toBeUndefined();
  });

  it("passes the tokens of several agents under the hashes of their IDs", async () => {
    const { claims } = await tokens({ id: "a1", token: "t1" }, { id: "a2", token: "t2" });
    for (const claim of claims) {
      expect(claim.soleRunningAgentToken).toBeUndefined();
      expect([claim.runningAgentToken("a1"), claim.runningAgentToken("a2")]).toEqual(["t1", "t2"]);
    }
  });
});
