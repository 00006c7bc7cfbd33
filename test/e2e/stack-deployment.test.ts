import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sample } from "../all-tests";
import { words } from "./support/command";
import { scenario } from "./support/scenario";
import { type Library, StackProject } from "./support/stack-project";
import { type Tool, tools } from "./support/tool";

async function project(tool: Tool, library?: Library) {
  const { service, workspace } = await scenario(tool, { service: { pollsUntilDone: 0 } });
  return { service, workspace, project: new StackProject(service, workspace, library) };
}

const one = `endpoint(stack("one"), "edge");`;

/** The second stack uses an output of the first. */
const two = `const first = stack("first");
const edge = endpoint(first, "edge");
endpoint(stack("second"), "office", { description: edge.name });`;

describe.each(tools)("`trivet deploy` with %s", (tool) => {
  // An app of cdktn is deployed by test/packed/init-cdktn.
  it.each<Library>(sample(["cdktf", "cdktn"], ["cdktf"]))(
    "shows what changes, and changes it, in an app of %s",
    async (library) => {
      const { project: made, service } = await project(tool, library);
      made.write(`${one}
        new cdktf.TerraformOutput(app.node.findChild("one"), "place", { value: "here" });`);
      const planned = await made.run("plan");
      expect(planned).toMatchObject({ code: 0 });
      expect(planned.stdout).toContain(
        `+ ids_endpoint.edge at main.js:11:10\n      + endpoint_id = "edge"`,
      );
      expect(planned.stdout).toMatch(/\+ create_time, .*state, .* = \(known after apply\)/);
      expect(planned.stdout).toContain("one: 1 to add");
      expect(service.changes).toEqual([]);

      const deployed = await made.run("deploy", "--auto-approve");
      expect(deployed).toMatchObject({ code: 0 });
      expect(deployed.stdout).toMatch(/ids_endpoint.edge: creating\n.*ids_endpoint.edge: created/);
      expect(deployed.stdout).toContain(`place = "here"\none: deployed`);

      const again = await made.run("deploy", "--auto-approve");
      expect(again).toMatchObject({ code: 0 });
      expect(again.stdout).toContain(`one: no changes\n  place = "here"`);

      const destroyed = await made.run("destroy", "--auto-approve");
      expect(destroyed).toMatchObject({ code: 0 });
      expect(destroyed.stdout).toContain("- ids_endpoint.edge at main.js:11:10: is destroyed");
      expect(service.changes).toEqual(["POST edge", "DELETE edge"]);
      expect(made.leftovers()).toEqual([]);
    },
  );

  it("says that what it creates again was deleted by somebody else", async () => {
    const { project: made, service } = await project(tool);
    made.write(one);
    expect(await made.run("deploy", "--auto-approve")).toMatchObject({ code: 0 });
    await service.call("DELETE", "projects/acme/locations/us-central1-a/endpoints/edge");
    const { stdout } = await made.run("plan");
    expect(stdout).toContain(
      "+ ids_endpoint.edge at main.js:11:10: deleted outside of Terraform\n",
    );
    expect(stdout).toContain("one: 1 to add");
  });

  it("counts what it imports, and does not call that no changes", async () => {
    const { project: made, service } = await project(tool);
    made.write(one);
    expect(await made.run("deploy", "--auto-approve")).toMatchObject({ code: 0 });
    const name = "projects/acme/locations/us-central1-a/endpoints/edge";
    made.write(one.replace(`"one"`, `"two"`).replace(/;$/, `.importFrom("${name}");`));
    const { stdout } = await made.run("plan");
    expect(stdout).toContain(`= ids_endpoint.edge at main.js:11:10: imported from ${name}\n`);
    expect(stdout).toContain("two: 1 to import\n");
    expect((await made.run("check")).stdout).toContain("two: 1 not known, nothing else changes,");
    expect(service.changes).toEqual(["POST edge"]);
  });

  it("deploys stacks in the order of their dependencies, and destroys them in reverse", async () => {
    const { project: made, service } = await project(tool);
    made.write(two);
    const early = await made.run("plan", "*");
    expect(early.code).toBe(1);
    expect(early.stdout).toContain("first: 1 to add");
    expect(early.output).toContain(
      "second uses the outputs of first, which must be deployed first.",
    );
    const deployed = await made.run("deploy", "*", "--auto-approve", "--json");
    expect(deployed).toMatchObject({ code: 0 });
    expect(outcomesIn(deployed.stdout)).toEqual(["first: deployed", "second: deployed"]);
    const office = (await service.endpoints()).find(({ name }) => String(name).endsWith("office"));
    expect(office?.["description"]).toMatch(/endpoints\/edge$/);
    // What cdktf passes from stack to stack is nobody's output.
    expect(deployed.output).not.toContain("cross-stack-output");

    const single = await made.run("deploy", "second", "--auto-approve");
    expect(single.code).toBe(2);
    expect(single.output).toContain("second uses the outputs of stacks that are not chosen: first");
    const ignoring = ["second", "--auto-approve", "--ignore-missing-stack-dependencies"];
    expect(await made.run("deploy", ...ignoring)).toMatchObject({ code: 0 });

    const partial = await made.run("destroy", "first", "--auto-approve");
    expect(partial.code).toBe(2);
    expect(partial.output).toContain("Other stacks use the outputs of first: second.");
    const destroyed = await made.run("destroy", "*", "--auto-approve", "--json");
    expect(outcomesIn(destroyed.stdout)).toEqual(["second: destroyed", "first: destroyed"]);
    expect(service.changes.slice(2)).toEqual(["DELETE office", "DELETE edge"]);
  });

  it("does not run what depends on a stack that failed, and says so", async () => {
    const { project: made, service } = await project(tool);
    made.write(`${two}\nendpoint(stack("third"), "other");`);
    service.fault = ({ method, query }) =>
      method === "POST" && query.get("endpointId") === "edge"
        ? { kind: "answer", status: 403 }
        : undefined;
    const { code, stdout, output } = await made.run("deploy", "*", "--auto-approve", "--json");
    expect(code).toBe(1);
    expect(outcomesIn(stdout)).toEqual(["first: failed", "second: not run", "third: deployed"]);
    expect(JSON.parse(stdout)).toMatchObject({
      stacks: [
        {
          diagnostics: [
            expect.objectContaining({ severity: "error", address: "ids_endpoint.edge" }),
          ],
        },
        { because: "first" },
        { changes: { counts: { create: 1 } } },
      ],
    });
    expect(output).toContain("second: not run, because first was not finished");
  });

  it("never shows a secret", async () => {
    const { project: made, service } = await project(tool);
    const secret = "hunter2-of-the-test";
    made.write(`const one = stack("one");
      const secret = new cdktf.TerraformVariable(one, "secret", { sensitive: true });
      endpoint(one, "edge", { description: "for " + secret.stringValue, labels: { a: "b" } });
      new cdktf.TerraformOutput(one, "told", { value: secret.stringValue, sensitive: true });`);
    const all = ["--var", `secret=${secret}`, "--auto-approve"];
    const changed = ["--var", `secret=${secret}-changed`, "--auto-approve", "--json"];
    const runs = [
      await made.run("plan", "--var", `secret=${secret}`),
      await made.run("deploy", ...all),
      await made.run("deploy", ...changed),
      await made.run("destroy", ...changed),
    ];
    for (const { code, output } of runs) {
      expect(code).toBe(0);
      expect(output).not.toContain(secret);
    }
    const [planned, deployed, updated] = runs;
    expect(planned?.stdout).toContain("description = (sensitive)");
    expect(deployed?.stdout).toContain("told = (sensitive)");
    expect(JSON.parse(updated?.stdout ?? "")).toMatchObject({
      stacks: [
        {
          changes: {
            resources: [
              {
                address: "ids_endpoint.edge",
                attributes: expect.arrayContaining([
                  expect.objectContaining({ path: "description", after: "(sensitive)" }),
                ]) as unknown,
              },
            ],
          },
          outputs: { told: { sensitive: true } },
        },
      ],
    });
    expect(service.sent("PATCH")[0]?.body).toContain(`for ${secret}-changed`);
  });

  it("changes nothing that nobody approves", async () => {
    const { project: made, service } = await project(tool);
    made.write(one);
    const unasked = await made.run("deploy");
    expect(unasked.code).toBe(2);
    expect(unasked.output).toContain("Add --auto-approve");
    expect(existsSync(join(made.folder, "cdktf.out"))).toBe(false);

    const declined = await made.onTerminal("deploy", [], "no\n");
    expect(declined.code).toBe(1);
    expect(declined.output).toContain("one: declined");
    expect(service.changes).toEqual([]);

    expect(await made.onTerminal("deploy", [], "yes\n")).toMatchObject({ code: 0 });
    expect(service.changes).toEqual(["POST edge"]);
    const interrupted = await made.onTerminal("destroy", [], "\u0003");
    expect(interrupted.code).toBe(130);
    expect(service.changes).toEqual(["POST edge"]);
    expect(made.leftovers()).toEqual([]);
  });

  it("passes options on to Terraform", async () => {
    const { project: made, service } = await project(tool);
    made.write(`const one = stack("one");
      const name = new cdktf.TerraformVariable(one, "name", { type: "string" });
      endpoint(one, "edge", { description: name.stringValue }); endpoint(one, "office");`);
    const args = ["--var", "name=x", "--target", "ids_endpoint.edge", "--auto-approve"];
    expect(await made.run("deploy", "one", ...args)).toMatchObject({ code: 0 });
    expect(service.changes).toEqual(["POST edge"]);
    service.forgetRequests();
    const rest = ["--no-refresh", "--", "-var", "name=x", "-replace=ids_endpoint.edge"];
    const replaced = await made.run("plan", "one", ...rest);
    expect(replaced.stdout).toContain(
      "-/+ ids_endpoint.edge at main.js:11:10: is replaced; as requested",
    );
    expect(replaced.stdout).toContain("one: 1 to add, 1 to replace");
    expect(service.requests).toEqual([]);
    const mistyped = ["--var", "name=x", "--target", "ids_endpoint.egde"] as const;
    expect(await made.run("plan", "one", ...mistyped)).toMatchObject({
      code: 2,
      output: expect.stringContaining(
        'The stacks have no resource ids_endpoint.egde; did you mean "ids_endpoint.edge"?',
      ) as string,
    });
    const refused = await made.run("plan", "--", "-out=x");
    expect(refused.code).toBe(2);
    const missing = await made.run("plan");
    expect(missing.code).toBe(1);
    expect(words(missing.output)).toContain("No value for required variable");
  });

  it("initializes only when that is necessary", async () => {
    const { project: made } = await project(tool);
    made.write(one);
    const commands = async (): Promise<readonly string[]> => {
      const { calls, command } = made.recordedTool();
      const ended = await made.start("deploy", ["--auto-approve"], {
        TERRAFORM_BINARY_NAME: command,
      }).ended;
      expect(ended).toMatchObject({ code: 0 });
      return calls();
    };
    expect(await commands()).toEqual(["init", "plan", "show", "apply"]);
    expect(await commands()).toEqual(["plan", "show"]);

    rmSync(join(made.folder, "cdktf.out", "stacks", "one", ".terraform", "providers"), {
      recursive: true,
    });
    expect(await commands()).toEqual(["init", "plan", "show"]);

    made.write(`${one}${moduleNamed(made, "a")}`);
    expect(await commands()).toEqual(["init", "plan", "show", "apply"]);
    // Only Terraform knows which modules it has fetched.
    made.write(`${one}${moduleNamed(made, "a")}${moduleNamed(made, "b")}`);
    expect(await commands()).toEqual(["plan", "init", "plan", "show", "apply"]);
    expect(await commands()).toEqual(["plan", "show"]);
  });
});

/** A statement that uses a module, which is created. */
function moduleNamed(made: StackProject, name: string): string {
  const source = join(made.folder, "modules", name);
  mkdirSync(source, { recursive: true });
  writeFileSync(join(source, "main.tf"), `resource "terraform_data" "x" {}\n`);
  return `new cdktf.TerraformHclModule(app.node.findChild("one"), "${name}", { source: "${source}" });`;
}

function outcomesIn(stdout: string): readonly string[] {
  const { stacks } = JSON.parse(stdout) as { stacks: { name: string; outcome: string }[] };
  return stacks.map(({ name, outcome }) => `${name}: ${outcome}`);
}
