import { createHash } from "node:crypto";
import { buildEnvironment } from "../../../../src/core/workspace/build/build-environment";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

describe("outside a build", () => {
  const environment = buildEnvironment({});

  it("is not a real build and starts the default workspace of the default owner", () => {
    expect(environment.isRealBuild).toBe(false);
    expect(environment.buildId).toBe("");
    expect(environment.transition).toBe("start");
    expect(environment.workspace).toMatchObject({
      id: "",
      name: "default",
      startCount: 1,
      isPrebuild: false,
      prebuildCount: 0,
      isPrebuildClaim: false,
    });
    expect(environment.owner).toEqual({
      id: "",
      name: "default",
      fullName: "default",
      email: "default@example.com",
      loginType: "",
      groups: { ok: true, value: [] },
      rbacRoles: { ok: true, value: [] },
      sshPublicKey: "",
      sshPrivateKey: "",
      sessionToken: "",
      oidcAccessToken: "",
    });
  });

  it("has no inputs, no secrets, no task, no tokens, no URL", () => {
    expect(environment.parameter("region")).toBeUndefined();
    expect(environment.previousParameter("region")).toBeUndefined();
    expect(environment.externalAuthToken("git")).toBe("");
    expect(environment.secretByEnv("KEY")).toBe("");
    expect(environment.secretByFile("~/.netrc")).toBe("");
    expect(environment.agentScript("linux", "amd64")).toBeUndefined();
    expect(environment.runningAgentToken("a")).toBeUndefined();
    expect(environment.soleRunningAgentToken).toBeUndefined();
    expect(environment.task).toEqual({ id: "", prompt: "" });
    expect(environment.agentUrl).toBeUndefined();
  });
});

describe("the workspace", () => {
  it("is built for real if a build ID is set", () => {
    expect(buildEnvironment({ TRIVET_WORKSPACE_BUILD_ID: "b1" })).toMatchObject({
      isRealBuild: true,
      buildId: "b1",
    });
    expect(buildEnvironment({ TRIVET_WORKSPACE_BUILD_ID: "" }).isRealBuild).toBe(false);
  });

  it.each(["stop", "destroy", "Start"])("does not start with the transition %s", (transition) => {
    const { workspace } = buildEnvironment({ TRIVET_WORKSPACE_TRANSITION: transition });
    expect(workspace).toMatchObject({ transition, startCount: 0 });
  });

  it("starts when the transition is empty", () => {
    expect(buildEnvironment({ TRIVET_WORKSPACE_TRANSITION: "" }).transition).toBe("start");
  });

  it.each([
    ["true", true],
    ["TRUE", true],
    ["1", false],
    ["yes", false],
    ["", false],
  ])("reads the prebuild flag %j as %j", (text, expected) => {
    const { workspace } = buildEnvironment({ TRIVET_WORKSPACE_IS_PREBUILD: text });
    expect(workspace.isPrebuild).toBe(expected);
    expect(workspace.prebuildCount).toBe(expected ? 1 : 0);
  });

  it("is claimed rather than prebuilt when both flags are set", () => {
    const { workspace } = buildEnvironment({
      TRIVET_WORKSPACE_IS_PREBUILD: "true",
      TRIVET_WORKSPACE_IS_PREBUILD_CLAIM: "true",
    });
    expect(workspace).toMatchObject({ isPrebuild: false, prebuildCount: 0, isPrebuildClaim: true });
  });

  it("names the variables of the template that are missing", () => {
    const { template } = buildEnvironment({
      TRIVET_WORKSPACE_TEMPLATE_ID: "t1",
      TRIVET_WORKSPACE_TEMPLATE_NAME: "",
    }).workspace;
    expect(template).toEqual({
      id: "t1",
      name: "",
      version: "",
      missingVariables: ["TRIVET_WORKSPACE_TEMPLATE_NAME", "TRIVET_WORKSPACE_TEMPLATE_VERSION"],
    });
  });
});

describe("the owner", () => {
  const owner = (name: string, value: string) =>
    buildEnvironment({ [`TRIVET_WORKSPACE_OWNER_${name}`]: value }).owner;

  it.each(["", "null", "[]", " [ ] "])("is in no group with the value %j", (text) => {
    expect(owner("GROUPS", text).groups).toEqual({ ok: true, value: [] });
    expect(owner("RBAC_ROLES", text).rbacRoles).toEqual({ ok: true, value: [] });
  });

  it("has groups and roles", () => {
    expect(owner("GROUPS", '["a","b"]').groups).toEqual({ ok: true, value: ["a", "b"] });
    const roles = '[{"name":"member","org_id":"o1"},{"name":"owner","site":true}]';
    expect(owner("RBAC_ROLES", roles).rbacRoles).toEqual({
      ok: true,
      value: [
        { name: "member", orgId: "o1" },
        { name: "owner", orgId: "" },
      ],
    });
  });

  it.each(["hunter2", '["hunter2"', '["hunter2", 1]', '{"hunter2": []}', '"hunter2"', "[null]"])(
    "has no groups with the value %j, which is not repeated",
    (text) => {
      const { groups } = owner("GROUPS", text);
      expect(groups).toEqual({
        ok: false,
        problem: "TRIVET_WORKSPACE_OWNER_GROUPS must contain a JSON array of strings, or be empty.",
      });
    },
  );

  it.each(["hunter2", '["hunter2"]', '[{"name": 1}]', '[{"name":"a","org_id":{}}]', "[[]]"])(
    "has no roles with the value %j, which is not repeated",
    (text) => {
      const { rbacRoles } = owner("RBAC_ROLES", text);
      expect(rbacRoles).toEqual({
        ok: false,
        problem:
          "TRIVET_WORKSPACE_OWNER_RBAC_ROLES must contain a JSON array of objects with the strings " +
          '"name" and "org_id", or be empty.',
      });
    },
  );

  it("has a login name and a full name", () => {
    const { owner: facts } = buildEnvironment({
      TRIVET_WORKSPACE_OWNER: "ada",
      TRIVET_WORKSPACE_OWNER_NAME: "Ada Lovelace",
    });
    expect(facts).toMatchObject({ name: "ada", fullName: "Ada Lovelace" });
  });
});

describe("inputs", () => {
  it("are found by the SHA-256 of the parameter's UTF-8 name, and may be empty", () => {
    const environment = buildEnvironment({
      [`TRIVET_PARAMETER_${sha256("größe")}`]: "",
      [`TRIVET_PARAMETER_PREVIOUS_${sha256("größe")}`]: "3",
    });
    expect(environment.parameter("größe")).toBe("");
    expect(environment.previousParameter("größe")).toBe("3");
    expect(environment.parameter("grösse")).toBeUndefined();
  });

  it("come with secrets: by variable, by file in hexadecimal digits, by external provider", () => {
    const environment = buildEnvironment({
      TRIVET_SECRET_ENV_API_KEY: "k",
      TRIVET_SECRET_FILE_7e2f2e6e65747263: "n",
      "TRIVET_EXTERNAL_AUTH_ACCESS_TOKEN_my-git": "t",
    });
    expect(environment.secretByEnv("API_KEY")).toBe("k");
    expect(environment.secretByFile("~/.netrc")).toBe("n");
    expect(environment.externalAuthToken("my-git")).toBe("t");
  });
});

describe("agents", () => {
  it("find their script, which may be empty", () => {
    const environment = buildEnvironment({
      TRIVET_AGENT_SCRIPT_linux_amd64: "#!/bin/sh",
      TRIVET_AGENT_SCRIPT_windows_amd64: "",
    });
    expect(environment.agentScript("linux", "amd64")).toBe("#!/bin/sh");
    expect(environment.agentScript("windows", "amd64")).toBe("");
  });

  it("find their current token by their ID, a sole agent with the empty string", () => {
    const environment = buildEnvironment({
      [`TRIVET_RUNNING_WORKSPACE_AGENT_TOKEN_${sha256("a1")}`]: "one",
      [`TRIVET_RUNNING_WORKSPACE_AGENT_TOKEN_${sha256("a2")}`]: "",
      TRIVET_RUNNING_WORKSPACE_AGENT_TOKEN_e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855:
        "sole",
    });
    expect(environment.runningAgentToken("a1")).toBe("one");
    expect(environment.runningAgentToken("a2")).toBeUndefined();
    expect(environment.soleRunningAgentToken).toBe("sole");
  });
});

it("uses the variables of another product on request", () => {
  const env = { ACME_AGENT_URL: "https://acme.test", TRIVET_AGENT_URL: "https://trivet.test" };
  const environment = buildEnvironment(env, "ACME");
  expect(environment.agentUrl).toBe("https://acme.test");
  expect(environment.variables.buildId).toBe("ACME_WORKSPACE_BUILD_ID");
});
