import type { Declaration } from "../../../../src/core/schema";
import {
  provisioner,
  workspace,
  workspaceTags,
} from "../../../../src/core/workspace/workspace/declare";
import { task } from "../../../../src/core/workspace/ai-task/declare";
import { workspaceOwner } from "../../../../src/core/workspace/workspace-owner/declare";
import { workspacePreset } from "../../../../src/core/workspace/preset/declare";
import { hostArchitecture, hostSystem } from "../../../../src/core/workspace/workspace/handlers";
import { details, summaries } from "../../provider-kit/server/protocol";
import { type Environment, readData, startBuild, stopBuild, without } from "./provider";

const uuid = /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

const found = async (declaration: Declaration, environment: Environment = {}, config = {}) => {
  const { state, diagnostics } = await readData(declaration, config, environment);
  expect(diagnostics).toEqual([]);
  return state;
};

const refused = async (declaration: Declaration, environment: Environment) => {
  const { diagnostics } = await readData(declaration, {}, environment);
  return `${summaries(diagnostics).join("\n")}\n${details(diagnostics)}`;
};

test.each<[string, Declaration, object]>([
  ["the workspace", workspace, {}],
  ["the owner", workspaceOwner, {}],
  ["the provisioner", provisioner, {}],
  ["tags", workspaceTags, { tags: { b: "1", a: "2" } }],
])("%s has a stable ID without a build", async (_name, declaration, config) => {
  const state = await found(declaration, {}, config);
  expect(state?.["id"]).toMatch(uuid);
  expect(await found(declaration, {}, config)).toEqual(state);
});

describe("the workspace", () => {
  test("has placeholders outside a build", async () => {
    expect(await found(workspace)).toEqual({
      accessUrl: "https://workspace.example.com",
      accessPort: 443,
      id: expect.any(String) as string,
      name: "default",
      transition: "start",
      startCount: 1,
      isPrebuild: false,
      isPrebuildClaim: false,
      prebuildCount: 0,
      templateId: "",
      templateName: "",
      templateVersion: "",
    });
  });

  test("is read from the build data", async () => {
    const environment = {
      ...stopBuild,
      TRIVET_AGENT_URL: "http://workspaces.test:8080/base/",
      TRIVET_WORKSPACE_ID: "w",
      TRIVET_WORKSPACE_NAME: "box",
      TRIVET_WORKSPACE_IS_PREBUILD: "True",
    };
    expect(await found(workspace, environment)).toEqual({
      accessUrl: "http://workspaces.test:8080/base",
      accessPort: 8080,
      id: "w",
      name: "box",
      transition: "stop",
      startCount: 0,
      isPrebuild: true,
      isPrebuildClaim: false,
      prebuildCount: 1,
      templateId: "t",
      templateName: "box",
      templateVersion: "v1",
    });
  });

  test("is not a prebuild during a claim", async () => {
    const environment = {
      ...startBuild,
      TRIVET_WORKSPACE_IS_PREBUILD: "true",
      TRIVET_WORKSPACE_IS_PREBUILD_CLAIM: "true",
    };
    const expected = { isPrebuild: false, prebuildCount: 0, isPrebuildClaim: true };
    expect(await found(workspace, environment)).toMatchObject(expected);
  });

  test("passes on another value of the transition", async () => {
    const environment = { TRIVET_WORKSPACE_TRANSITION: "destroy" };
    expect(await found(workspace, environment)).toMatchObject({
      transition: "destroy",
      startCount: 0,
    });
  });

  test("of a real build has a template: all missing variables are reported at once", async () => {
    const environment = {
      ...without(startBuild, "TRIVET_WORKSPACE_TEMPLATE_VERSION"),
      TRIVET_WORKSPACE_TEMPLATE_ID: "",
    };
    const messages = await refused(workspace, environment);
    expect(messages).toContain("ERROR - Missing Template Data");
    expect(messages).toContain(
      "TRIVET_WORKSPACE_TEMPLATE_ID, TRIVET_WORKSPACE_TEMPLATE_VERSION must",
    );
  });
});

describe("the owner", () => {
  test("has placeholders outside a build", async () => {
    expect(await found(workspaceOwner)).toMatchObject({
      name: "default",
      fullName: "default",
      email: "default@example.com",
      loginType: "",
      groups: [],
      rbacRoles: [],
      sshPublicKey: "",
      sshPrivateKey: "",
      sessionToken: "",
      oidcAccessToken: "",
    });
  });

  const owner = {
    TRIVET_WORKSPACE_OWNER_ID: "o",
    TRIVET_WORKSPACE_OWNER: "ann",
    TRIVET_WORKSPACE_OWNER_NAME: "Ann B.",
    TRIVET_WORKSPACE_OWNER_EMAIL: "ann@b.test",
    TRIVET_WORKSPACE_OWNER_LOGIN_TYPE: "oidc",
    TRIVET_WORKSPACE_OWNER_GROUPS: '["dev", "ops"]',
    TRIVET_WORKSPACE_OWNER_RBAC_ROLES:
      '[{"name": "admin", "org_id": "x", "more": 1}, {"name": "m"}]',
    TRIVET_WORKSPACE_OWNER_SSH_PUBLIC_KEY: "ssh-ed25519 AAAA",
    TRIVET_WORKSPACE_OWNER_SSH_PRIVATE_KEY: "HUSH-private",
    TRIVET_WORKSPACE_OWNER_SESSION_TOKEN: "HUSH-session",
    TRIVET_WORKSPACE_OWNER_OIDC_ACCESS_TOKEN: "HUSH-oidc",
  };

  test("is read from the build data", async () => {
    expect(await found(workspaceOwner, owner)).toEqual({
      id: "o",
      name: "ann",
      fullName: "Ann B.",
      email: "ann@b.test",
      loginType: "oidc",
      groups: ["dev", "ops"],
      rbacRoles: [
        { name: "admin", orgId: "x" },
        { name: "m", orgId: "" },
      ],
      sshPublicKey: "ssh-ed25519 AAAA",
      sshPrivateKey: "HUSH-private",
      sessionToken: "HUSH-session",
      oidcAccessToken: "HUSH-oidc",
    });
  });

  test.each(["", "null", "[]"])("has no groups and no roles: %j", async (text) => {
    const environment = {
      TRIVET_WORKSPACE_OWNER_GROUPS: text,
      TRIVET_WORKSPACE_OWNER_RBAC_ROLES: text,
    };
    expect(await found(workspaceOwner, environment)).toMatchObject({ groups: [], rbacRoles: [] });
  });

  test("with malformed groups and roles is refused for both at once, without showing the values", async () => {
    const messages = await refused(workspaceOwner, {
      ...owner,
      TRIVET_WORKSPACE_OWNER_GROUPS: '["SECRETS"',
      TRIVET_WORKSPACE_OWNER_RBAC_ROLES: '[{"name": 7, "x": "SECRETS"}]',
    });
    expect(messages).toContain("ERROR - Invalid Owner Data");
    expect(messages).toContain("TRIVET_WORKSPACE_OWNER_GROUPS");
    expect(messages).toContain("TRIVET_WORKSPACE_OWNER_RBAC_ROLES");
    expect(messages).not.toContain("SECRETS");
  });

  test("has secrets that are in no log", async () => {
    const { log } = await readData(workspaceOwner, {}, { ...owner, TF_LOG: "TRACE" });
    expect(log).not.toContain("HUSH");
  });
});

describe("the task", () => {
  const id = "0f0e0d0c-0b0a-4908-8706-050403020100";

  test.each(["", "00000000-0000-0000-0000-000000000000"])("is missing: %j", async (text) => {
    const environment = { TRIVET_TASK_ID: text, TRIVET_TASK_PROMPT: "go" };
    expect(await found(task, environment)).toEqual({ id: "", enabled: false, prompt: "go" });
  });

  test.each([id, id.toUpperCase(), `{${id}}`, `urn:uuid:${id}`, id.replaceAll("-", "")])(
    "has the id %s in its usual form",
    async (text) => {
      const environment = { TRIVET_TASK_ID: text };
      expect(await found(task, environment)).toEqual({ id, enabled: true, prompt: "" });
    },
  );

  test("with a malformed ID is refused", async () => {
    const messages = await refused(task, { TRIVET_TASK_ID: "x" });
    expect(messages).toContain("ERROR - Invalid Task");
    expect(messages).toContain("TRIVET_TASK_ID");
  });
});

test("the provisioner is this host, with the platform's names", async () => {
  const host = { os: hostSystem(process.platform), arch: hostArchitecture(process.arch) };
  expect(await found(provisioner)).toMatchObject(host);
  const systems = ["linux", "darwin", "win32"].map(hostSystem);
  expect(systems).toEqual(["linux", "darwin", "windows"]);
  const architectures = ["x64", "arm64", "arm", "ia32", "s390x"].map(hostArchitecture);
  expect(architectures).toEqual(["amd64", "arm64", "armv7", "386", "s390x"]);
});

test("tags have the same ID in any order, and a different one with other values", async () => {
  const id = async (tags: object | null) => (await found(workspaceTags, {}, { tags }))?.["id"];
  expect(await id({ a: "1", b: "2" })).toBe(await id({ b: "2", a: "1" }));
  expect(await id({ a: "1", b: "2" })).not.toBe(await id({ a: "1", b: "3" }));
  expect(await id(null)).toBe(await id({}));
});

test("the ID of a preset is its name", async () => {
  const preset = {
    name: "Big",
    parameters: { cpus: "8", note: "" },
    prebuilds: [
      {
        instances: 2,
        expirationPolicy: [{ ttl: 3600 }],
        scheduling: [
          {
            timezone: "UTC",
            schedules: [
              { cron: "* 8-18 * * 1-5", instances: 4 },
              { cron: "* 8-18 * * 6", instances: 1 },
            ],
          },
        ],
      },
    ],
  };
  expect(await found(workspacePreset, {}, preset)).toMatchObject({
    ...preset,
    id: "Big",
    default: false,
  });
});
