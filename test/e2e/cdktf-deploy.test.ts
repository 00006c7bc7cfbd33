import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sample } from "../all-tests";
import { root } from "./support/build";
import { type Ended, startCommand, succeeded } from "./support/command";
import { installation } from "./support/installation";
import { scenario } from "./support/scenario";
import { StackProject } from "./support/stack-project";
import { tools } from "./support/tool";

const project = mkdtempSync(join(tmpdir(), "trivet-e2e-project-"));

/** The checkout's cdktf.json, run elsewhere: state and output would be left in its folder. */
beforeAll(() => {
  const config = JSON.parse(readFileSync(join(root, "cdktf.json"), "utf8")) as { app: string };
  const app = config.app
    .replace("tsc -b stacks", `tsc -b ${join(root, "stacks")}`)
    .replace("maps dist/", `maps ${join(root, "dist")}/`);
  expect(app.split(root)).toHaveLength(3);
  writeFileSync(join(project, "cdktf.json"), JSON.stringify({ ...config, app }));
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
});

afterAll(() => {
  rmSync(project, { recursive: true, force: true });
});

const commandLine = (pid: number): string =>
  execFileSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" }).trim();

describe.each(tools)("`trivet exec -- cdktf` with %s", (tool) => {
  const plain = ["", [] as string[]] as const;
  const warm = [", with warm providers", ["--warm"]] as const;
  // What --warm does is the same for each command: e2e/warm-providers.
  it.each(sample([plain, warm], [plain]))(
    "deploys the demo stack and destroys it%s",
    async (_, options) => {
      const { service, workspace } = await scenario(tool, { service: { pollsUntilDone: 0 } });
      const cdktf = join(
        dirname(require.resolve("cdktf-cli/package.json")),
        "bundle",
        "bin",
        "cdktf",
      );
      const trivet = [join(root, "dist", "src", "cli", "main.js"), "exec"];
      const run = (verb: string): Promise<Ended> =>
        succeeded(
          `cdktf ${verb}`,
          startCommand(
            process.execPath,
            [
              ...trivet,
              ...options,
              "--dir",
              installation().mirror,
              "--",
              process.execPath,
              cdktf,
              verb,
              "ids-demo",
              "--auto-approve",
            ],
            {
              cwd: project,
              env: {
                ...workspace.env,
                TF_CLI_CONFIG_FILE: undefined,
                TERRAFORM_BINARY_NAME: tool,
                TRIVET_IDS_ENDPOINT: service.url,
                CI: "1",
              },
            },
          ),
        );

      const created = service.arrival(({ method }) => method === "POST");
      const commandLines = created.then(() => workspace.processes().map(commandLine));
      const { output } = await run("deploy");
      expect(await commandLines).toEqual([
        options.length === 0
          ? expect.not.stringContaining("--warm")
          : expect.stringMatching(/ --warm$/),
      ]);
      expect(output).toContain("2 added, 0 changed, 0 destroyed");
      const endpoints = await service.endpoints("demo-project");
      expect(endpoints.map(({ name }) => String(name).split("/").at(-1)).sort()).toEqual([
        "edge",
        "office",
      ]);

      await run("destroy");
      expect(await service.endpoints("demo-project")).toEqual([]);
      expect([...service.changes].sort()).toEqual([
        "DELETE edge",
        "DELETE office",
        "POST edge",
        "POST office",
      ]);
    },
  );

  it("takes turns with `trivet deploy`", async () => {
    const { service, workspace } = await scenario(tool, { service: { pollsUntilDone: 0 } });
    const made = new StackProject(service, workspace);
    const one = `endpoint(stack("one"), "edge");`;
    made.write(one);
    expect(await made.cdktf("deploy", "--auto-approve")).toMatchObject({ code: 0 });
    const unchanged = await made.run("deploy", "--auto-approve");
    expect(unchanged).toMatchObject({ code: 0 });
    expect(unchanged.stdout).toContain("one: no changes");

    made.write(one.replace(`"edge")`, `"edge", { severity: "LOW" })`));
    const changed = await made.run("deploy", "--auto-approve");
    expect(changed.stdout).toContain(`~ severity = "HIGH" → "LOW"`);
    const back = await made.cdktf("deploy", "--auto-approve");
    expect(back).toMatchObject({ code: 0 });
    expect(back.output).toContain("No changes.");
    expect(await made.cdktf("destroy", "--auto-approve")).toMatchObject({ code: 0 });
    expect((await made.run("destroy", "--auto-approve")).stdout).toContain("one: no changes");
    expect(service.changes).toEqual(["POST edge", "PATCH edge", "DELETE edge"]);
  });
});
