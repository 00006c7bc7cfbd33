import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startCommand, succeeded, type Ended } from "../e2e/support/command";
import { compileOnlyChanges, packedProject } from "./packed-project";

const packages = ["typescript", "esbuild", "jest", "ts-jest", "@types/jest", "@types/node"];

describe("a new provider", () => {
  let project = "";
  let env: NodeJS.ProcessEnv = {};

  /** Runs a command, which must succeed. */
  const run = (folder: string, command: string, ...args: string[]): Promise<Ended> => {
    const line = [command, ...args].join(" ");
    return succeeded(line, startCommand(command, args, { cwd: folder, env }));
  };

  beforeAll(async () => {
    const parent = packedProject(packages);
    compileOnlyChanges(parent);
    project = join(parent, "provider");
    const home = join(parent, "home");
    mkdirSync(home);
    mkdirSync(project);
    env = {
      ...{ PATH: process.env["PATH"], HOME: home, npm_config_update_notifier: "false" },
      ...{ TF_CLI_ARGS: "-no-color", TF_IN_AUTOMATION: "1", CHECKPOINT_DISABLE: "1" },
    };
    await run(project, "npx", "--no", "--", "trivet", "new", "provider", "acme-notes");
  });

  it("passes its tests", async () => {
    const { output } = await run(project, "npm", "test", "--", "--ci");
    expect(output).toMatch(/Tests: +(\d+) passed, \1 total/);
  });

  it("is packed, and works in terraform, which installs it from the mirror", async () => {
    const { output } = await run(project, "npm", "run", "pack");
    expect(output).toContain("acme-notes 0.1.0 packed (example.com/acme/acme-notes)");

    const examples = join(project, "examples");
    await run(examples, "terraform", "init", "-plugin-dir=../release/mirror");
    const applied = await run(examples, "terraform", "apply", "-auto-approve");
    expect(applied.output).toContain("1 added, 0 changed, 0 destroyed");
    expect(readFileSync(join(examples, "milk.txt"), "utf8")).toBe("We need milk.");
    // Fails if there is a change.
    await run(examples, "terraform", "plan", "-detailed-exitcode");
    await run(examples, "terraform", "destroy", "-auto-approve");
    expect(readdirSync(examples)).not.toContain("milk.txt");
  });

  it("is measured", async () => {
    const { output } = await run(project, "npm", "run", "bench");
    expect(output).toMatch(/start to handshake \(median\) +\d+ ms/);
    expect(output).toMatch(/plan of 100 notes +\d+ ms/);
  });

  it("is documented in the layout of registries", async () => {
    await run(project, "npm", "run", "gen");
    const page = readFileSync(join(project, "docs/resources/note.md"), "utf8");
    expect(page).toContain("acme-notes_note");
    expect(page).toContain('text = "We need milk."');
    expect(readFileSync(join(project, "docs/index.md"), "utf8")).toContain("`folder`");
  });
});
