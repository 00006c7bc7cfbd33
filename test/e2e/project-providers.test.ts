import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { once } from "node:events";
import { parseTrustedJson } from "../../src/core/json/plain-json";
import { endlessLoop } from "../endless-loop";
import { until } from "../until";
import { root } from "./support/build";
import { saying, startCommand, waiting, whileRunning, words } from "./support/command";
import { firstLine, ProviderProject } from "./support/provider-project";
import { scenario } from "./support/scenario";
import { type Tool, tools } from "./support/tool";

async function newProject(tool: Tool): Promise<ProviderProject> {
  const { workspace } = await scenario(tool);
  return new ProviderProject(workspace);
}

const content = ({ folder }: ProviderProject, name = "milk.txt"): string =>
  readFileSync(join(folder, ".notes", name), "utf8");

const providersOf = ({ folder }: ProviderProject): unknown => {
  const state = readFileSync(join(folder, "terraform.shopping.tfstate"), "utf8");
  const { resources } = parseTrustedJson(state) as {
    readonly resources: readonly { readonly provider: string }[];
  };
  return resources.map(({ provider }) => provider);
};

const serving = join(root, "dist", "src", "cli", "project-providers", "main.js");

/** The processes that serve providers of this project. */
function processes({ folder }: ProviderProject): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      const line = readFileSync(join("/proc", pid, "cmdline"), "utf8");
      return line.includes("project-providers") && line.includes(folder);
    } catch {
      return false;
    }
  });
}

describe.each(tools)("a provider of the project with %s", (tool) => {
  it("is served to each command, without an installation and a lock", async () => {
    const project = await newProject(tool);
    const mirror = join(project.folder, "mirror");
    const planned = await project.run("plan", "--dir", mirror);
    expect(planned.output).toContain("shopping: 1 to add");
    expect(existsSync(mirror)).toBe(false);
    const deployed = await project.run("deploy", "--auto-approve");
    expect(deployed.code).toBe(0);
    expect(content(project)).toBe("We need milk.");
    expect(providersOf(project)).toEqual(['provider["example.com/acme/notes"]']);
    const stack = join(project.folder, "cdktf.out", "stacks", "shopping");
    expect(existsSync(join(stack, ".terraform.lock.hcl"))).toBe(false);

    project.writeApp("We need tea.");
    const changed = await project.run("check");
    expect(changed.output).toContain('~ text = "We need milk." → "We need tea."');
    expect((await project.run("deploy", "--auto-approve")).code).toBe(0);
    expect(content(project)).toBe("We need tea.");
    expect((await project.run("destroy", "--auto-approve")).code).toBe(0);
    expect(existsSync(join(project.folder, ".notes", "milk.txt"))).toBe(false);
    expect(processes(project)).toEqual([]);
  });

  it("can be packed later, without a change of what is deployed", async () => {
    const project = await newProject(tool);
    await project.run("deploy", "--auto-approve");
    // The same provider as Terraform starts it, and the same stack.
    project.write(
      "packed.ts",
      `import { serve } from "@trivet/provider-kit/host";
       import { providerRoutes } from "@trivet/provider-kit";
       import { notes } from "./providers";
       serve({ name: "notes", source: "example.com/acme/notes", version: "1.0.0", routes: providerRoutes(notes as never) });`,
    );
    const mirror = join(project.folder, "release", "mirror");
    const command = join(root, "dist", "src", "cli", "provider-main.js");
    project.write("package.json", JSON.stringify({ name: "notes", version: "1.0.0" }));
    const env = { ...project.env, NODE_PATH: join(root, "node_modules") };
    const packed = await startCommand(
      process.execPath,
      [command, "pack", "packed.ts", "--source", "example.com/acme/notes"],
      { cwd: project.folder, env },
    ).ended;
    expect([packed.code, packed.output]).toEqual([0, packed.output]);
    renameSync(join(project.folder, "providers.ts"), join(project.folder, "old.ts"));
    const stack = join(project.folder, "cdktf.out", "stacks", "shopping");
    const options = { cwd: stack, env };
    const alone = await startCommand(tool, ["plan", "-no-color"], options).ended;
    expect(words(alone.output)).toContain("provider example.com/acme/notes: required by this");
    const init = startCommand(tool, ["init", `-plugin-dir=${mirror}`], options);
    expect((await init.ended).output).toContain("example.com/acme/notes v1.0.0");
    const plan = await startCommand(tool, ["plan", "-detailed-exitcode"], options).ended;
    expect([plan.code, plan.output]).toEqual([0, plan.output]);
  });

  it("is in the file that cdktf.json names", async () => {
    const project = await newProject(tool);
    renameSync(join(project.folder, "providers.ts"), join(project.folder, "own.ts"));
    project.configure({ providers: "own.ts" });
    expect((await project.run("plan")).output).toContain("shopping: 1 to add");
    project.configure({ providers: "missing.ts" });
    const missing = await project.run("plan");
    expect(missing.output).toContain("The file with the project's providers does not exist");
    project.write("empty.ts", "export const nothing = 1;");
    project.configure({ providers: "empty.ts" });
    const empty = await project.run("plan");
    expect(empty.output).toContain("empty.ts exports no provider.");
    project.write("providers.ts", "const forgotten = 1;\nexport {};");
    project.configure();
    const forgotten = await project.run("plan");
    expect(forgotten.output).toContain("providers.ts exports no provider. If one is defined there");
  });

  it("is compiled by esbuild if the project's TypeScript cannot be called", async () => {
    const project = await newProject(tool);
    project.replacePackage("typescript", "module.exports = { version: '7.0.2' };");
    const missing = await project.run("plan");
    expect(missing.output).toContain("run `npm install --save-dev esbuild`");
    project.addPackage("esbuild");
    expect((await project.run("plan")).output).toContain("shopping: 1 to add");
    project.writeProvider("\n    throw new Error();");
    const { output } = await project.run("deploy", "--auto-approve");
    expect(output).toContain(`providers.ts:${firstLine + 1}:11`);
  });

  it("is loaded anew by `trivet watch`, also after an error", async () => {
    const project = await newProject(tool);
    const started = project.start("watch", "--auto-approve");
    const waited = waiting(started);
    await waited(1);
    expect(content(project)).toBe("We need milk.");
    project.writeProvider("throw new Error(");
    await waited(2);
    project.writeProvider('    await writeFile(path + ".copy", text);');
    await waited(3);
    project.writeApp("We need tea.", "tea.txt");
    await waited(4);
    started.child.kill("SIGINT");
    const { output } = await started.ended;
    expect(output).toContain("The providers of the project cannot be loaded");
    expect(content(project, "tea.txt.copy")).toBe("We need tea.");
    expect(processes(project)).toEqual([]);
  });

  it("is blamed with its line if a handler throws an error", async () => {
    const project = await newProject(tool);
    project.writeProvider("\n    null.oops;");
    const { code, output } = await project.run("deploy", "--auto-approve");
    expect(code).toBe(1);
    expect(output).toContain("Unexpected Provider Error");
    expect(output).toContain("TypeError: Cannot read properties of null");
    expect(output).toContain(`providers.ts:${firstLine + 1}:10`);
    expect(output).toContain("This is a bug in a provider of this project.");
  });

  it("is blamed with its line if a handler ends the process", async () => {
    const project = await newProject(tool);
    project.writeProvider("    process.exit(0);");
    const { code, output } = await project.run("deploy", "--auto-approve");
    expect(code).toBe(1);
    expect(output).toContain("process.exit(0) was called");
    expect(output).toContain(`providers.ts:${firstLine}:13`);
    expect(processes(project)).toEqual([]);
  });

  it("is blamed with its line if its file cannot be loaded", async () => {
    const project = await newProject(tool);
    project.write("providers.ts", 'export const broken = 1;\nthrow new Error("oops");\n');
    for (const command of ["plan", "check"]) {
      const { code, output } = await project.run(command);
      expect(code).toBe(1);
      expect(output).toContain("The providers of the project cannot be loaded");
      expect(output).toMatch(/Error: oops\n +at .*providers\.ts:2:7/);
    }
  });

  it("ends with the command if a handler never returns", async () => {
    const project = await newProject(tool);
    project.writeProvider(
      '    await writeFile(path + ".begun", "");\n    await new Promise(() => setInterval(() => 0, 1000));',
    );
    const started = project.start("deploy", "--auto-approve");
    const said = saying(started);
    const begun = until(() => existsSync(join(project.folder, ".notes", "milk.txt.begun")));
    await whileRunning(started, begun);
    expect(processes(project)).toHaveLength(1);
    started.child.kill("SIGINT");
    await said("Press Ctrl-C again to stop it immediately.");
    started.child.kill("SIGINT");
    await started.ended;
    await until(() => processes(project).length === 0);
  });
});

/** Lets Terraform use the process of a project's providers directly. */
async function withProcess(project: ProviderProject, tool: Tool, ...limits: readonly string[]) {
  const file = join(project.folder, "providers.ts");
  const child = spawn(process.execPath, ["--enable-source-maps", serving, file, ...limits], {
    cwd: project.folder,
    env: { ...project.env, TRIVET_PROJECT_FOLDER: project.folder },
    stdio: "pipe",
  });
  let said = "";
  child.stderr.on("data", (data: Buffer) => (said += data.toString()));
  const closed = once(child, "close");
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const env = { ...project.env, TF_REATTACH_PROVIDERS: line };
  const cwd = join(project.folder, "terraform");
  const apply = startCommand(tool, ["apply", "-auto-approve", "-no-color"], { cwd, env });
  return { child, closed, apply, said: () => said };
}

describe("a handler that does not return", () => {
  async function hanging(before: string): Promise<ProviderProject> {
    const project = await newProject("terraform");
    project.writeProvider(before);
    mkdirSync(join(project.folder, "terraform"));
    project.write(
      "terraform/main.tf",
      `terraform {
        required_providers {
          notes = { source = "example.com/acme/notes" }
        }
      }
      provider "notes" { folder = path.root }
      resource "notes_note" "milk" {
        file_name = "milk.txt"
        text      = "?"
      }`,
    );
    return project;
  }

  it("is reported with its line", async () => {
    const project = await hanging("    await new Promise(() => setInterval(() => 0, 1000));");
    const { child, apply, closed, said } = await withProcess(project, "terraform", "200", "60000");
    await whileRunning(
      apply,
      until(() => said().includes("create of notes_note has not returned for")),
    );
    expect(said()).toMatch(/has not returned for \d+ s \(.*providers\.ts:9:\d+\)/);
    child.kill("SIGKILL");
    await Promise.all([closed, apply.ended]);
  });

  it("is ended and reported with its line if it blocks the process", async () => {
    const project = await hanging(`\n    ${endlessLoop}`);
    const { closed, apply, said } = await withProcess(project, "terraform", "60000", "15000");
    const { code, output } = await apply.ended;
    expect(code).toBe(1);
    expect(words(output)).toContain("Plugin did not respond");
    expect(await closed).toEqual([null, "SIGKILL"]);
    expect(said()).toContain("was blocked for 15 s, as by an endless loop");
    expect(said()).toContain(`providers.ts:${firstLine + 1}:`);
  });
});
