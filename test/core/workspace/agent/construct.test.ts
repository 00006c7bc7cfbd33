import { Fn, TerraformIterator, TerraformVariable, Testing, Token } from "cdktf";
import { Construct } from "constructs";
import { workspace } from "../../../../src";
import { found, newAgent, newStack, read, refusal, resources, warnings } from "../synthesized";

const everything: workspace.AgentProps = {
  os: workspace.OperatingSystem.LINUX,
  arch: workspace.Architecture.ARM64,
  auth: workspace.AgentAuth.CLOUD_A_INSTANCE_IDENTITY,
  apiKeyScope: workspace.ApiKeyScope.NO_USER_DATA,
  connectionTimeout: 300,
  displayApps: {
    editor: false,
    editorInsiders: true,
    webTerminal: false,
    sshHelper: false,
    portForwardingHelper: false,
  },
  env: { EDITOR: "vim" },
  metadatas: [
    { key: "cpu", displayName: "CPU", script: "cpu", interval: 10, timeout: 1, order: 2 },
    { key: "disk", script: "disk", interval: 60 },
  ],
  motdFile: "/etc/motd",
  order: 1,
  resourcesMonitoring: {
    memory: { enabled: true, threshold: 90 },
    volumes: [
      { path: "/home", enabled: true, threshold: 80 },
      { path: "/var", enabled: false, threshold: 0 },
    ],
  },
  startupScript: "start",
  startupScriptBehavior: workspace.StartupScriptBehavior.BLOCKING,
  shutdownScript: "stop",
  troubleshootingUrl: "https://help.example.com",
};

describe("the synthesized JSON", () => {
  test("of the minimum that an agent needs", () => {
    const stack = newStack();
    newAgent(stack);
    expect(resources(stack, "workspace_agent")).toEqual({ main: { os: "linux", arch: "amd64" } });
  });

  test("of everything set", () => {
    const stack = newStack();
    new workspace.Agent(stack, "main", everything);
    expect(resources(stack, "workspace_agent")).toMatchSnapshot();
  });

  test("of an empty block and of properties that are set to undefined", () => {
    const stack = newStack();
    new workspace.Agent(stack, "main", {
      os: "linux",
      arch: "amd64",
      auth: undefined,
      metadatas: undefined,
      resourcesMonitoring: undefined,
      displayApps: {},
      env: undefined,
    });
    expect(resources(stack, "workspace_agent")).toEqual({
      main: { os: "linux", arch: "amd64", display_apps: {} },
    });
  });

  test("of tokens", () => {
    const stack = newStack();
    const text = new TerraformVariable(stack, "text", { type: "string" });
    const count = new TerraformVariable(stack, "count", { type: "number" });
    const flag = new TerraformVariable(stack, "flag", { type: "bool" });
    const map = new TerraformVariable(stack, "map", { type: "map(string)" });
    new workspace.Agent(stack, "main", {
      os: Token.asAny(text.stringValue),
      arch: Token.asAny(text.stringValue),
      auth: Token.asAny(text.stringValue),
      startupScript: `echo ${text.stringValue}`,
      connectionTimeout: count.numberValue,
      env: Token.asStringMap(map.value),
      displayApps: { editor: flag.booleanValue },
      metadatas: [{ key: text.stringValue, script: "s", interval: count.numberValue }],
      resourcesMonitoring: {
        volumes: [{ path: text.stringValue, enabled: true, threshold: count.numberValue }],
      },
    });
    expect(resources(stack, "workspace_agent")).toEqual({
      main: {
        os: "${var.text}",
        arch: "${var.text}",
        auth: "${var.text}",
        startup_script: "echo ${var.text}",
        connection_timeout: "${var.count}",
        env: "${var.map}",
        display_apps: { editor: "${var.flag}" },
        metadata: [{ key: "${var.text}", script: "s", interval: "${var.count}" }],
        resources_monitoring: {
          volume: [{ path: "${var.text}", enabled: true, threshold: "${var.count}" }],
        },
      },
    });
  });

  test("of items that Terraform generates", () => {
    const stack = newStack();
    const scripts = TerraformIterator.fromMap({ cpu: "top", disk: "df" });
    new workspace.Agent(stack, "main", {
      os: "linux",
      arch: "amd64",
      metadatas: scripts.dynamic({
        key: scripts.key,
        script: Token.asString(scripts.value),
        interval: 10,
      }),
    });
    expect(resources(stack, "workspace_agent")).toEqual({
      main: {
        os: "linux",
        arch: "amd64",
        dynamic: {
          metadata: {
            for_each: { cpu: "top", disk: "df" },
            iterator: "each",
            content: { key: "${each.key}", script: "${each.value}", interval: 10 },
          },
        },
      },
    });
  });
});

describe("the name in Terraform", () => {
  const deep = (scope: Construct): Construct => new Construct(new Construct(scope, "A"), "B");

  test("is the construct ID, at any depth of the construct tree", () => {
    const stack = newStack();
    const agent = newAgent(deep(stack), "dev-box");
    newAgent(stack);
    expect(agent.resource.friendlyUniqueId).toBe("dev-box");
    expect(Object.keys(resources(stack, "workspace_agent"))).toEqual(["dev-box", "main"]);
  });

  test("can be overridden, and reset to the construct ID", () => {
    const stack = newStack();
    const [mine, yours] = [newAgent(deep(stack), "a"), newAgent(stack, "b")];
    mine.overrideLogicalId("mine");
    yours.overrideLogicalId("yours");
    yours.resetOverrideLogicalId();
    expect(Object.keys(resources(stack, "workspace_agent"))).toEqual(["b", "mine"]);
  });

  test("is unique in the stack", () => {
    const stack = newStack();
    newAgent(stack, "main");
    newAgent(deep(stack), "main");
    expect(() => Testing.synth(stack, true)).toThrow(
      /Demo\/A\/B\/main[^]*Demo\/main[^]*workspace_agent\.main/,
    );
  });
});

describe("what is refused", () => {
  test("comes in one error, with paths and without a construct in the tree", () => {
    const stack = newStack();
    const error = refusal(
      () =>
        new workspace.Agent(stack, "main", {
          os: Token.asAny("${var.os}"),
          arch: "sparc" as workspace.Architecture,
          connectionTimeout: -1,
          metadatas: [
            { key: "cpu", script: "a", interval: 1 },
            { key: "cpu", script: "b", interval: 1.5 },
          ],
          resourcesMonitoring: {},
        }),
    );
    expect(error.constructPath).toBe("Demo/main");
    expect(error.message.split("\n")).toEqual([
      "workspace.Agent at Demo/main: 5 problems",
      '  arch: must be one of "amd64", "armv7", "arm64" (got "sparc") [INVALID_ARGUMENT]',
      "  connectionTimeout: must be at least 0 (got -1) [INVALID_ARGUMENT]",
      "  metadatas[1].interval: must be an integer (got 1.5) [WRONG_TYPE]",
      "  resourcesMonitoring.memory: needs at least one of `memory`, `volumes` [MISSING]",
      '  metadatas[1].key: must differ from that of element 0 (got "cpu") [INVALID_ARGUMENT]',
    ]);
    expect(stack.node.tryFindChild("main")).toBeUndefined();
  });

  test.each<[string, Partial<workspace.AgentProps>, string]>([
    ["no system", { os: undefined as never }, "MISSING os"],
    ["a misspelt property", { motd: "/etc/motd" } as never, "UNKNOWN_PROPERTY motd"],
    ["an output", { token: "t" } as never, "UNKNOWN_PROPERTY token"],
    [
      "a misspelt app",
      { displayApps: { vscode: true } as never },
      "UNKNOWN_PROPERTY displayApps.vscode",
    ],
    [
      "a threshold beyond 100",
      { resourcesMonitoring: { memory: { enabled: true, threshold: 101 } } },
      "INVALID_ARGUMENT resourcesMonitoring.memory.threshold",
    ],
    [
      "the path of another system",
      { resourcesMonitoring: { volumes: [{ path: "C:\\", enabled: true, threshold: 1 }] } },
      "INVALID_ARGUMENT resourcesMonitoring.volumes.0.path",
    ],
  ])("%s", (_name, props, expected) => {
    const all = { os: "linux", arch: "amd64", ...props } as const;
    expect(found(refusal(() => new workspace.Agent(newStack(), "main", all)))).toEqual([expected]);
  });
});

test("the deprecated directory is accepted, with a warning", () => {
  const stack = newStack();
  const dir = { dir: "/src" };
  const agent = new workspace.Agent(stack, "main", { os: "linux", arch: "amd64", ...dir });
  expect(warnings(agent)).toEqual([expect.stringContaining("[deprecated-dir]")]);
  expect(resources(stack, "workspace_agent")).toHaveProperty("main.dir", "/src");
});

test("every property can be read", () => {
  const agent = newAgent(newStack());
  const ref = (path: string): string => `\${workspace_agent.main.${path}}`;
  const one = (path: string): string => `\${one(flatten(workspace_agent.main.${path}))}`;
  expect(
    read(
      agent,
      ...(["agentId", "initScript", "token", "os", "arch", "auth", "apiKeyScope"] as const),
      ...(["connectionTimeout", "dir", "displayApps", "env", "metadatas", "motdFile"] as const),
      ...(["order", "resourcesMonitoring", "startupScript", "startupScriptBehavior"] as const),
      ...(["shutdownScript", "troubleshootingUrl"] as const),
    ),
  ).toEqual({
    agentId: ref("id"),
    initScript: ref("init_script"),
    token: ref("token"),
    os: ref("os"),
    arch: ref("arch"),
    auth: ref("auth"),
    apiKeyScope: ref("api_key_scope"),
    connectionTimeout: ref("connection_timeout"),
    dir: ref("dir"),
    displayApps: {
      editor: one("display_apps[*].editor"),
      editorInsiders: one("display_apps[*].editor_insiders"),
      webTerminal: one("display_apps[*].web_terminal"),
      sshHelper: one("display_apps[*].ssh_helper"),
      portForwardingHelper: one("display_apps[*].port_forwarding_helper"),
    },
    env: ref("env"),
    metadatas: ref("metadata"),
    motdFile: ref("motd_file"),
    order: ref("order"),
    resourcesMonitoring: {
      memory: {
        enabled: one("resources_monitoring[*].memory[*].enabled"),
        threshold: one("resources_monitoring[*].memory[*].threshold"),
      },
      volumes: "${flatten(workspace_agent.main.resources_monitoring[*].volume)}",
    },
    startupScript: ref("startup_script"),
    startupScriptBehavior: ref("startup_script_behavior"),
    shutdownScript: ref("shutdown_script"),
    troubleshootingUrl: ref("troubleshooting_url"),
  });
});

test("an output is accepted by another agent", () => {
  const stack = newStack();
  const main = newAgent(stack);
  new workspace.Agent(stack, "twin", {
    os: main.os,
    arch: main.arch,
    auth: main.auth,
    connectionTimeout: main.connectionTimeout,
    displayApps: { editor: main.displayApps.editor },
    env: main.env,
    startupScript: Token.asString(Fn.upper(main.metadatas.get(0).script)),
    startupScriptBehavior: main.startupScriptBehavior,
  });
  expect(resources(stack, "workspace_agent")).toHaveProperty("twin", {
    os: "${workspace_agent.main.os}",
    arch: "${workspace_agent.main.arch}",
    auth: "${workspace_agent.main.auth}",
    connection_timeout: "${workspace_agent.main.connection_timeout}",
    display_apps: { editor: "${one(flatten(workspace_agent.main.display_apps[*].editor))}" },
    env: "${workspace_agent.main.env}",
    startup_script: "${upper(workspace_agent.main.metadata[0].script)}",
    startup_script_behavior: "${workspace_agent.main.startup_script_behavior}",
  });
});

test("the user's arguments are not modified", () => {
  const props = Object.freeze({ ...everything, env: Object.freeze({ A: "1" }) });
  expect(() => new workspace.Agent(newStack(), "main", props)).not.toThrow();
});

test("the type token names the resource across products", () => {
  expect(workspace.Agent.typeToken).toBe("trivet:workspace/v1:Agent");
});

test.each([
  ["google-instance-identity", "cloudA-instance-identity"],
  ["aws-instance-identity", "cloudB-instance-identity"],
  ["azure-instance-identity", "cloudC-instance-identity"],
])("the name %s of another platform is corrected to %s", (auth, meant) => {
  const build = () => {
    // A type would refuse it.
    const props: object = { os: "linux", arch: "amd64", auth };
    return new workspace.Agent(newStack(), "main", props as workspace.AgentProps);
  };
  expect(refusal(build).message).toContain(`(got "${auth}"); did you mean "${meant}"?`);
});
