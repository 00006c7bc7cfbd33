import {
  Fn,
  Op,
  TerraformIterator,
  TerraformLocal,
  type TerraformStack,
  Testing,
  Token,
} from "cdktf";
import { workspace } from "../../../../src";
import { claimedValues } from "../../../../src/core/workspace/template/claimed-values";
import { findingsOf, Machine, newTemplate } from "./template";

const { coder } = workspace.products;

// cdktf prints one where a function is in a string, whatever comes of it.
beforeEach(() => {
  jest.spyOn(console, "warn").mockImplementation();
});

interface Template {
  readonly stack: TerraformStack;
  readonly owner: workspace.DataWorkspaceOwner;
  readonly build: workspace.DataWorkspace;
}

/** A template with prebuilds. */
function prebuilt(
  product: workspace.Product = coder,
  prebuilds: workspace.DataWorkspacePresetProps["prebuilds"] = { instances: 1 },
): Template {
  const stack = newTemplate({ product });
  new workspace.DataWorkspacePreset(stack, "large", { name: "Large", prebuilds });
  const owner = new workspace.DataWorkspaceOwner(stack, "owner");
  return { stack, owner, build: new workspace.DataWorkspace(stack, "build") };
}

const agent = (stack: TerraformStack, props: Partial<workspace.AgentProps>) =>
  new workspace.Agent(stack, "main", { os: "linux", arch: "amd64", ...props });

const pathsOf = (stack: TerraformStack) =>
  findingsOf(claimedValues, stack).map((each) => each.split(": ")[1]);

it("warns of the owner in the env of coder's agent, which that provider replaces", () => {
  const { stack, owner } = prebuilt();
  const main = agent(stack, { env: { EDITOR: "vi", GIT_AUTHOR_NAME: owner.fullName } });
  new Machine(stack, "machine", { token: main.token });
  Testing.synth(stack, true);
  const warnings = main.node.metadata.filter(({ type }) => type.endsWith("warn"));
  expect(warnings.map(({ data }) => String(data))).toEqual([
    expect.stringMatching(
      /^env\.GIT_AUTHOR_NAME: contains data\.coder_workspace_owner\.owner\.full_name, which changes when a user claims a workspace prebuilt for Demo\/large\. .*`addEnv`.*\[agent-claim-replaces\]$/,
    ),
  ]);
});

it.each<[what: string, props: (template: Template) => Partial<workspace.AgentProps>, path: string]>(
  [
    [
      "the owner's ID in a text",
      ({ owner }) => ({ motdFile: `/home/${owner.name}/motd` }),
      "motdFile",
    ],
    ["the name of the workspace", ({ build }) => ({ startupScript: build.name }), "startupScript"],
    [
      "the owner's groups in a function",
      ({ owner }) => ({ motdFile: Fn.join("/", owner.groups) }),
      "motdFile",
    ],
    [
      "the owner's email in a metadata item",
      ({ owner }) => ({ metadatas: [{ key: "o", script: `echo ${owner.email}`, interval: 1 }] }),
      "metadatas[0].script",
    ],
    [
      "the token of an external login",
      ({ stack }) => ({
        env: { TOKEN: new workspace.DataExternalAuth(stack, "git", { id: "git" }).accessToken },
      }),
      "env.TOKEN",
    ],
    [
      "the prompt of a task",
      ({ stack }) => ({ env: { PROMPT: new workspace.DataTask(stack, "task").prompt } }),
      "env.PROMPT",
    ],
    [
      "the whole owner in a function",
      ({ owner }) => ({ env: { OWNER: Fn.jsonencode(Token.asAny(`\${${owner.fqn}}`)) } }),
      "env.OWNER",
    ],
    [
      "the whole owner in a written function",
      () => ({ env: { OWNER: "${jsonencode(data.coder_workspace_owner.owner)}" } }),
      "env.OWNER",
    ],
    [
      "the owner in functions within a template",
      ({ owner }) => ({
        startupScript: `git config user.name "${Fn.upper(Token.asString(Fn.format("%s <%s>", [owner.fullName, owner.email])))}"`,
      }),
      "startupScript",
    ],
    [
      "the owner in a condition",
      ({ owner }) => ({
        motdFile: Token.asString(Fn.conditional(Op.eq(owner.name, "ada"), "/etc/motd", "/x")),
      }),
      "motdFile",
    ],
    [
      "the owner in a directive",
      () => ({ motdFile: '%{ if data.coder_workspace_owner.owner.name == "ada" }/a%{ endif }' }),
      "motdFile",
    ],
    [
      "the groups of the owner in a loop",
      () => ({
        env: {
          GROUPS: '${join(",", [for g in data.coder_workspace_owner.owner.groups : upper(g)])}',
        },
      }),
      "env.GROUPS",
    ],
    [
      "the owner with an index",
      () => ({ env: { MAIL: '${data.coder_workspace_owner.owner["email"]}' } }),
      "env.MAIL",
    ],
    [
      "a token that is declared not to be secret",
      ({ stack }) => ({
        env: {
          TOKEN: Token.asString(
            Fn.nonsensitive(new workspace.DataExternalAuth(stack, "g", { id: "g" }).accessToken),
          ),
        },
      }),
      "env.TOKEN",
    ],
    [
      "the owner in a merged map",
      ({ owner }) => ({
        env: Token.asStringMap(Fn.merge([{ EDITOR: "vi" }, { NAME: owner.name }])),
      }),
      "env",
    ],
    [
      "the owner in the elements of a forEach",
      ({ owner }) => {
        const forEach = TerraformIterator.fromMap({ first: owner.email });
        return { forEach, env: { MAIL: Fn.upper(Token.asString(forEach.value)) } };
      },
      "env.MAIL",
    ],
    [
      "the owner in locals",
      ({ stack, owner }) => {
        const first = new TerraformLocal(stack, "first", { email: owner.email });
        return {
          env: { MAIL: new TerraformLocal(stack, "second", `\${${first.fqn}.email}`).asString },
        };
      },
      "env.MAIL",
    ],
  ],
)("finds %s", (_, props, path) => {
  const template = prebuilt();
  agent(template.stack, props(template));
  expect(pathsOf(template.stack)).toEqual([path]);
});

it("accepts what a claim does not change, and what the agent ignores", () => {
  const template = prebuilt();
  const { stack, owner, build } = template;
  agent(stack, {
    startupScript: Fn.sha256(Fn.join("/", [build.id, build.templateName])),
    env: { NAME: owner.name },
    motdFile: owner.name,
    lifecycle: { ignoreChanges: ["env", "motd_file"] },
  }).addEnv("NAME", owner.name);
  new workspace.Agent(stack, "other", {
    os: "linux",
    arch: "amd64",
    env: { NAME: owner.name },
    lifecycle: { ignoreChanges: "all" },
  });
  expect(pathsOf(stack)).toEqual([]);
});

it("does not warn of our own provider, which updates an agent, unless it replaces it too", () => {
  const { stack, owner } = prebuilt(workspace.products.trivet);
  agent(stack, { env: { NAME: owner.name }, arch: Token.asAny(owner.name) });
  expect(pathsOf(stack)).toEqual(["arch"]);
});

it.each<[string, workspace.DataWorkspacePresetProps["prebuilds"], number]>([
  ["without prebuilds", undefined, 0],
  ["with none", { instances: 0 }, 0],
  [
    "with some on schedule",
    {
      instances: 0,
      scheduling: { timezone: "UTC", schedules: [{ cron: "* 8 * * 1-5", instances: 1 }] },
    },
    1,
  ],
])("looks at a preset %s", (_, prebuilds, count) => {
  const stack = newTemplate({ product: coder });
  new workspace.DataWorkspacePreset(stack, "p", { name: "P", prebuilds });
  const owner = new workspace.DataWorkspaceOwner(stack, "owner");
  agent(stack, { motdFile: owner.name });
  expect(pathsOf(stack)).toHaveLength(count);
});
