import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expectShown, shown } from "../../docs/output";
import { ProjectFixture } from "../init/project-fixture";

const trivet = new ProjectFixture("init");
const convert = (...args: readonly string[]) =>
  trivet.run(["convert", ...args, "--package", "0.1.0"]);

cpSync(join(__dirname, "fixtures"), trivet.root, { recursive: true });

it("writes a project, with the files that stay, and lists them", async () => {
  writeFileSync(join(trivet.root, "template", "Dockerfile"), "FROM scratch\n");
  mkdirSync(join(trivet.root, "template", ".terraform"));
  writeFileSync(join(trivet.root, "template", "terraform.tfstate"), "{}");
  const { code, stdout } = await convert("template");
  expect(code).toBe(0);
  expectShown(stdout, shown("docs/guide/from-coder.md", "convert"));
  const folder = join(trivet.root, "template-project");
  expect(readdirSync(join(folder, "hcl")).sort()).toEqual(["Dockerfile", "main.tf", "modules.tf"]);
  expect(trivet.read("template-project/main-stack.ts")).toContain("new workspace.Agent(");
  expect(trivet.read("template-project/main.ts")).toContain('cpSync("hcl"');
});

it("follows no links: a stranger's template may link to the user's own files", async () => {
  writeFileSync(join(trivet.root, "secret"), "of the user");
  cpSync(join(trivet.root, "network"), join(trivet.root, "linked"), { recursive: true });
  symlinkSync("../secret", join(trivet.root, "linked", "notes"));
  writeFileSync(
    join(trivet.root, "variables"),
    'variable "token" {\n  default = "of the user"\n}\n',
  );
  symlinkSync("../variables", join(trivet.root, "linked", "variables.tf"));
  symlinkSync("..", join(trivet.root, "linked", "around"));
  // An editor's lock, which leads nowhere.
  symlinkSync("me@here.1", join(trivet.root, "linked", ".#main.tf"));
  const { code, stdout } = await convert("linked");
  expect(code).toBe(0);
  expect(stdout).toContain(
    "Left out, because they are symbolic links: .#main.tf, around, notes, variables.tf.",
  );
  const copied = readdirSync(join(trivet.root, "linked-project", "hcl"));
  const links = [".#main.tf", "around", "notes", "variables.tf"];
  expect(copied.filter((name) => links.includes(name))).toEqual([]);
  expect(trivet.read("linked-project/main-stack.ts")).not.toContain("of the user");
});

it("lists what stays as JSON, and writes for the other library", async () => {
  const { stdout } = await convert("network", "out", "--library", "cdktn", "--json");
  const { kept } = JSON.parse(stdout) as { readonly kept: readonly { readonly place: string }[] };
  expect(kept.map(({ place }) => place)).toEqual(["main.tf:14", "main.tf:22", "main.tf:37"]);
  expect(trivet.read("out/main-stack.ts")).not.toMatch(/"cdktf|"@trivet\/constructs(?!\/cdktn)/);
});

it("shows what the guide for Google's provider does", async () => {
  const { stdout } = await convert("network", "shown");
  expectShown(stdout, shown("docs/guide/from-google.md", "convert"));
});

it.each([
  ["a folder that does not exist", "missing", "made", "missing cannot be read"],
  ["a folder without files in HCL", "home", "made", "contains no .tf file"],
  ["a configuration of other providers", "other", "made", "with a construct"],
  ["a target that is not empty", "images", "full", "full is not empty"],
  ["a target in the configuration", "images", "images/made", "is in the configuration"],
  ["a template that does not parse", "broken", "made", "main.tf:2"],
])("refuses %s, and writes nothing", async (_, folder, target, message) => {
  for (const name of ["home", "other", "full", "broken"]) {
    mkdirSync(join(trivet.root, name), { recursive: true });
  }
  writeFileSync(join(trivet.root, "other", "main.tf"), 'resource "docker_volume" "a" {}\n');
  writeFileSync(join(trivet.root, "broken", "main.tf"), 'variable "a" {\n  default = [1,,2]\n}\n');
  writeFileSync(join(trivet.root, "full", "notes.txt"), "mine");
  const { code, stderr } = await convert(folder, target);
  expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining(message)]);
  expect(code).not.toBe(0);
  expect(existsSync(join(trivet.root, "made"))).toBe(false);
  expect(readdirSync(join(trivet.root, "full"))).toEqual(["notes.txt"]);
});
