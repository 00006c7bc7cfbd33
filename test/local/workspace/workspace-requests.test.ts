import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BuildRequest } from "../../../src/local/workspace/state/build-request";
import { LocalPlatform } from "../../../src/local/workspace/local-platform";
import { dotOf } from "./resources";
import { RecordingTerraform } from "./recording-terraform";
import { temporaryFolder } from "./temporary-folder";

function scenario() {
  const base = temporaryFolder();
  const template = join(base, "template");
  mkdirSync(template);
  writeFileSync(join(template, "main.tf"), "");
  const terraform = new RecordingTerraform(join(base, "bin"));
  const stateFolder = join(base, "state");
  const settings = { template, stateFolder, terraform: terraform.binary };
  return { template, stateFolder, terraform, settings, platform: new LocalPlatform(settings) };
}

const startRequest: BuildRequest = { transition: "start" };
const prebuildRequest: BuildRequest = { transition: "start", prebuild: true };
const claimRequest: BuildRequest = { transition: "start", claim: true };

it.each<[string, readonly BuildRequest[], BuildRequest, string]>([
  [
    "a stop of a missing workspace",
    [],
    { transition: "stop" },
    'The workspace "dev" does not exist.',
  ],
  ["a claim of a missing workspace", [], claimRequest, 'The workspace "dev" does not exist.'],
  [
    "a claim of what has an owner",
    [startRequest],
    claimRequest,
    'The workspace "dev" already has an owner.',
  ],
  [
    "a prebuild of what has an owner",
    [startRequest],
    prebuildRequest,
    'The workspace "dev" already exists.',
  ],
  ["a start of an unclaimed prebuild", [prebuildRequest], startRequest, "has not been claimed yet"],
  [
    "a prebuild that is a claim",
    [],
    { ...prebuildRequest, claim: true },
    "both a prebuild and a claim",
  ],
  [
    "a stop that is a claim",
    [startRequest],
    { transition: "stop", claim: true },
    "cannot be a prebuild",
  ],
  [
    "another owner",
    [{ ...startRequest, owner: "ada" }],
    { ...startRequest, owner: "bob" },
    'belongs to "ada"',
  ],
  [
    "a task for an existing workspace",
    [startRequest],
    { ...startRequest, taskPrompt: "x" },
    "already",
  ],
  [
    "a name that is a path",
    [],
    { ...startRequest, workspace: "../x" },
    '"../x" is not a valid name',
  ],
])("refuses %s", async (_, before, request, message) => {
  const { platform, terraform } = scenario();
  for (const one of before) await platform.build(one);
  const commands = terraform.commands.length;
  await expect(platform.build(request)).rejects.toMatchObject({
    code: "REQUEST",
    message: expect.stringContaining(message) as string,
  });
  expect(terraform.commands).toHaveLength(commands);
});

it("applies nothing when the platform refuses the plan", async () => {
  const { platform, terraform } = scenario();
  const resource = { mode: "data", type: "workspace_external_auth", values: { id: "git" } };
  const resources = [{ address: "data.workspace_external_auth.git", name: "git", ...resource }];
  terraform.prints({ plan: { prior_state: { values: { root_module: { resources } } } } });
  await expect(platform.build(startRequest)).rejects.toMatchObject({ code: "REFUSED" });
  expect(terraform.commands.map(({ verb }) => verb)).not.toContain("apply");
  await platform.build({ ...startRequest, externalAuth: { git: "t" } });
  expect(terraform.last("apply").args.at(-1)).toBe("terraform.tfplan");
});

it("warns of an agent without a resource when a workspace starts", async () => {
  const { platform, terraform } = scenario();
  const agent = { mode: "managed", type: "workspace_agent", name: "main", values: { id: "a1" } };
  const resources = [{ address: "workspace_agent.main", ...agent }];
  const graph = dotOf(["workspace_env.e", "workspace_agent.main"]);
  terraform.prints({ state: { values: { root_module: { resources } } }, graph });
  const started = await platform.build(startRequest);
  expect(started).toMatchObject({ agents: [], droppedAgents: ["workspace_agent.main"] });
  expect(started.warnings).toHaveLength(1);
  const stopped = await platform.build({ transition: "stop" });
  expect(stopped).toMatchObject({ agents: [], droppedAgents: [], warnings: [] });
});

it("reports Terraform's diagnostics", async () => {
  const { platform, terraform } = scenario();
  terraform.prints({ fails: "plan" });
  await expect(platform.build(startRequest)).rejects.toMatchObject({
    code: "TERRAFORM",
    message: "Error: It broke\n  with x.y\nFor a reason.",
  });
});

it("reports that a command was not found", async () => {
  const { settings } = scenario();
  const platform = new LocalPlatform({ ...settings, terraform: "no-such-terraform" });
  await expect(platform.build(startRequest)).rejects.toMatchObject({ code: "NO_TERRAFORM" });
});

it("copies no hidden files and no states, except the lock file", async () => {
  const { platform, template, terraform } = scenario();
  for (const folder of [".terraform", "module"]) mkdirSync(join(template, folder));
  const packed = [".terraform.lock.hcl", "module/m.tf", "script.sh"];
  const left = [".terraform/x", ".secret", "terraform.tfstate", "terraform.dev.tfstate.backup"];
  for (const file of [...packed, ...left]) writeFileSync(join(template, file), "");
  await platform.build(startRequest);
  const expected = ["main.tf", ...packed].map((file) => `./${file}`).sort();
  expect(terraform.last("init").files).toEqual(expected);
  expect(terraform.last("apply").files).toEqual([...expected, "./terraform.tfplan"].sort());
});

it("refuses folders that it cannot use", async () => {
  const { settings, template } = scenario();
  const inside = { ...settings, stateFolder: join(template, "state") };
  expect(() => new LocalPlatform(inside)).toThrow("is inside the template's folder");
  for (const folder of [join(template, "missing"), temporaryFolder()]) {
    const platform = new LocalPlatform({ ...settings, template: folder });
    await expect(platform.build(startRequest)).rejects.toMatchObject({ code: "FOLDER" });
    await expect(platform.preview()).rejects.toMatchObject({ code: "FOLDER" });
  }
  const used = temporaryFolder();
  writeFileSync(join(used, "letter.txt"), "");
  const platform = new LocalPlatform({ ...settings, stateFolder: used });
  await expect(platform.build(startRequest)).rejects.toMatchObject({ code: "FOLDER" });
});

describe("a lock", () => {
  it("keeps builds of one state apart", async () => {
    const { platform, stateFolder } = scenario();
    mkdirSync(stateFolder);
    writeFileSync(join(stateFolder, "lock"), `${process.pid}\n`);
    await expect(platform.build(startRequest)).rejects.toMatchObject({ code: "BUSY" });
  });

  it("is taken over from a process that has ended", async () => {
    const { platform, stateFolder } = scenario();
    mkdirSync(stateFolder);
    writeFileSync(join(stateFolder, "lock"), "999999999\n");
    await expect(platform.build(startRequest)).resolves.toMatchObject({ workspace: "dev" });
  });
});
