import { firstOfFreePorts } from "./free-ports";
import { NewProject } from "./new-project";

const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Starts a local back end of the project, until the end of the test. */
async function serve(project: NewProject, script: string, args: string[], ready: RegExp) {
  const { match, stop } = await project.serve(script, args, ready);
  stops.push(stop);
  return match;
}

/** Runs the commands that AGENTS.md names for each kind of project. */
async function tryForAgents(project: NewProject, changes: string): Promise<void> {
  await project.run("synth");
  expect((await project.command("check")).output).toContain(changes);
  expect(JSON.parse((await project.command("check", "--json")).stdout)).toMatchObject({
    stacks: [{ diagnostics: [], annotations: [] }],
  });
  expect((await project.command("explain", "INVALID_ARGUMENT")).output).toContain("must be");
  expect((await project.command("doctor")).output).toContain("0 problems");
}

/** A project for endpoints, which each run tries with cdktf. */
export function describeIdsProject(library: string): void {
  describe(`a new project with ${library}`, () => {
    it("for ids passes its test, and is deployed to the local back end and destroyed", async () => {
      const project = new NewProject("ids", library);
      await project.write();
      expect((await project.run("test", ["--ci"])).output).toContain("1 passed, 1 total");

      const local = ["--port", "0", "--polls", "0"];
      const [, url] = await serve(project, "local:ids", local, /(http:\/\/127\.0\.0\.1:\d+\/v1\/)/);
      const env = { IDS_URL: url };
      const deployed = await project.run("deploy", ["--auto-approve"], env);
      expect(deployed.output).toContain("+ ids_endpoint.edge at watch-stack.ts:21:18");
      expect(deployed.output).toMatch(/watch: 1 to add[^]*address = "10\.[^]*watch: deployed/);
      expect((await project.run("plan", [], env)).output).toContain("watch: no changes");
      const destroyed = await project.run("destroy", ["--auto-approve"], env);
      expect(destroyed.output).toMatch(/watch: 1 to destroy[^]*watch: destroyed/);
      await tryForAgents(project, "watch: 1 to add");
      expect(project.untried()).toEqual([]);
    });
  });
}

/** A project for one of the other providers. */
export function describeOtherProjects(library: string): void {
  describe(`a new project with ${library}`, () => {
    it("for a template passes its test, and builds a workspace on the local platform", async () => {
      const project = new NewProject("template", library);
      await project.write();
      expect((await project.run("test", ["--ci"])).output).toContain("1 passed, 1 total");

      const parameter = ["--parameter", "cores=64"];
      const previewed = await project.start("preview", parameter).ended;
      expect(previewed.code).toBe(1);
      expect(previewed.output).toContain("more than the maximum 32");
      expect((await project.run("import")).output).toContain("The template can be imported.");
      expect((await project.run("start")).output).toContain("is running: 5 created.");
      expect((await project.run("stop")).output).toContain("is stopped: 1 updated, 1 deleted.");
      expect((await project.run("delete")).output).toContain("is deleted: 4 deleted.");
      const page = ["local", "workspace", "open", "cdktf.out/stacks/dev", "--port", "0"];
      stops.push((await project.serveCommand(page, /http:\/\/127\.0\.0\.1:\d+/)).stop);
      expect((await project.command("plan")).output).toContain("dev: 5 to add");
      expect((await project.command("deploy", "--auto-approve")).output).toContain("dev: deployed");
      const destroyed = await project.command("destroy", "--auto-approve");
      expect(destroyed.output).toContain("dev: destroyed");
      await tryForAgents(project, "dev: 5 to add");
      expect(project.untried()).toEqual([]);
    });

    it("for signing passes its test, and signs the sample image with the local services", async () => {
      const project = new NewProject("signing", library);
      await project.write();
      expect((await project.run("test", ["--ci"])).output).toContain("1 passed, 1 total");

      const port = String(await firstOfFreePorts(5));
      const sample = /sample image: \S+@(sha256:\w+)[^]*for other tools/;
      const [, digest] = await serve(project, "local:signing", ["--port", port], sample);
      const run = (script: string) => project.shell(`. ./local-signing.sh && npm run ${script}`);
      const { output } = await run("deploy -- --auto-approve");
      expect(output).toMatch(/image: 3 to add[^]*image: deployed/);
      expect((await run("plan")).output).toContain("image: no changes");
      const state = project.read("terraform.image.tfstate");
      expect(state).toContain(`"value": "127.0.0.1:${port}/release/app@${digest ?? ""}"`);
      const destroyed = await run("destroy -- --auto-approve");
      expect(destroyed.output).toContain("image: destroyed");
      await tryForAgents(project, "image: 3 to add");
      expect(project.untried()).toEqual([]);
    });
  });
}

/** A project for all providers, which has the stacks and the tests of the others. */
export function describeFullProject(library: string): void {
  describe(`a new project with ${library}`, () => {
    it("for all three passes all tests, and is deployed stack by stack", async () => {
      const project = new NewProject("all", library);
      await project.write();
      expect((await project.run("test", ["--ci"])).output).toContain("3 passed, 3 total");

      const local = ["--port", "0", "--polls", "0"];
      const [, url] = await serve(project, "local:ids", local, /(http:\/\/127\.0\.0\.1:\d+\/v1\/)/);
      const env = { IDS_URL: url };
      const { output } = await project.run("deploy", ["watch", "--auto-approve"], env);
      expect(output).toContain("+ ids_endpoint.edge at watch-stack.ts:21:18");
      expect(output).toMatch(/watch: 1 to add[^]*watch: deployed/);
      expect((await project.run("import")).output).toContain("The template can be imported.");
      const unnamed = await project.start("deploy", ["--auto-approve"]).ended;
      expect(unnamed.code).not.toBe(0);
      expect(unnamed.output).toContain("dev, image, watch");
    });
  });
}
