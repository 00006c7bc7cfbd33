import {
  cpSync,
  existsSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { scenario } from "./support/scenario";
import { StackProject } from "./support/stack-project";
import { type Tool, tools } from "./support/tool";

async function made(tool: Tool, body = `endpoint(stack("one"), "edge");`) {
  const { service, workspace } = await scenario(tool, { service: { pollsUntilDone: 0 } });
  const project = new StackProject(service, workspace);
  project.write(body);
  return { service, project, plans: join(project.folder, "plans") };
}

const apply = ["--plan", "plans", "--auto-approve"] as const;

describe.each(tools)("plans saved with %s", (tool) => {
  it("are exactly what is applied later, whatever the app says by then", async () => {
    const { service, project, plans } = await made(tool);
    const saved = await project.run("plan", "--out", "plans");
    expect(saved).toMatchObject({ code: 0 });
    expect(saved.output).toContain(`trivet: saved the plans in ${plans}`);
    expect(service.changes).toEqual([]);
    // It contains secrets.
    const stack = join(plans, "stacks", "one");
    for (const folder of [plans, stack]) expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(stack, "trivet.tfplan")).mode & 0o777).toBe(0o600);
    expect(readdirSync(stack).sort()).toEqual([
      ".terraform.lock.hcl",
      "cdk.tf.json",
      "trivet.tfplan",
    ]);

    project.write(`throw new Error("not synthesized");`);
    rmSync(join(project.folder, "cdktf.out"), { recursive: true });
    const applied = await project.run("deploy", ...apply);
    expect(applied).toMatchObject({ code: 0 });
    expect(applied.stdout).toContain("one: reading the saved plan");
    expect(applied.stdout).toContain("+ ids_endpoint.edge at main.js:11:10");
    expect(applied.stdout).toContain("one: deployed");
    expect(service.changes).toEqual(["POST edge"]);
    expect(existsSync(join(project.folder, "cdktf.out", "stacks", "one", "trivet.tfplan"))).toBe(
      false,
    );

    const again = await project.run("deploy", ...apply);
    expect(again.code).toBe(1);
    expect(again.output).toContain("Save a new plan with `trivet plan --out`.");
    expect(service.changes).toEqual(["POST edge"]);
    expect(project.leftovers()).toEqual([]);
  });

  it("are refused once the state has moved, and asked about on a terminal", async () => {
    const { service, project } = await made(tool);
    await project.run("plan", "--out", "plans");
    const declined = await project.onTerminal("deploy", ["--plan", "plans"], "no\n");
    expect(declined.code).toBe(1);
    expect(service.changes).toEqual([]);
    project.write(`endpoint(stack("one"), "other");`);
    expect(await project.run("deploy", "--auto-approve")).toMatchObject({ code: 0 });
    const stale = await project.run("deploy", ...apply);
    expect(stale.code).toBe(1);
    expect(stale.output).toContain("Error: Saved plan is stale");
    expect(service.changes).toEqual(["POST other"]);
  });

  it("are kept only if every stack was planned and is allowed to change", async () => {
    const { project, plans } = await made(
      tool,
      `const first = stack("first");
      const edge = endpoint(first, "edge");
      endpoint(stack("second"), "office", { description: edge.name });
      endpoint(stack("third"), "lab");`,
    );
    // As with any plan, the outputs of the first stack are not there yet.
    const early = await project.run("plan", "*", "--out", "plans");
    expect(early.code).toBe(1);
    expect(early.output).toContain("second cannot be planned yet");
    expect(early.output).toContain(
      "It uses outputs of first that this plan changes. Save a plan of first alone and apply it, then plan second.",
    );
    expect(early.output).toContain("no plan was saved, because not every stack was planned");
    expect(readdirSync(plans)).toEqual([]);
    const missing = await project.run("deploy", ...apply);
    expect(missing.code).toBe(1);
    expect(missing.output).toContain(
      `${plans} does not contain complete plans of this version of trivet`,
    );

    const refused = await project.run("plan", "third", "--out", "plans", "--refuse", "create");
    expect(refused.code).toBe(3);
    expect(readdirSync(plans)).toEqual([]);

    expect(await project.run("plan", "first", "third", "--out", "plans")).toMatchObject({
      code: 0,
    });
    const part = await project.run("deploy", "first", ...apply);
    expect(part).toMatchObject({ code: 0 });
    expect(part.stdout).not.toContain("third");
    expect(await project.run("plan", "*", "--out", "plans")).toMatchObject({ code: 0 });
    const rest = await project.run("deploy", ...apply, "--json");
    expect(rest).toMatchObject({ code: 0 });
    expect(JSON.parse(rest.stdout)).toMatchObject({
      stacks: [
        { name: "second", outcome: "deployed" },
        { name: "third", outcome: "deployed" },
      ],
    });
    expect(await project.run("plan", "*", "--out", "plans")).toMatchObject({ code: 0 });
    const nothing = await project.run("deploy", ...apply);
    expect(nothing).toMatchObject({ code: 0 });
    expect(nothing.output).toContain("the saved plans change nothing");
  });

  it("take no options that belong to a plan, and no folder of somebody else", async () => {
    const { project, plans } = await made(tool);
    await project.run("plan", "--out", "plans");
    for (const option of [["--var", "a=b"], ["--target", "x.y"], ["--no-refresh"]]) {
      const { code, output } = await project.run("deploy", ...apply, ...option);
      expect(code).toBe(2);
      expect(output).toContain(
        "cannot be used with --plan: it has an effect only when a plan is made.",
      );
    }
    const { code, output } = await project.run("plan", "--out", ".");
    expect(code).toBe(1);
    expect(output).toContain(`${project.folder} is not empty, and contains no saved plans.`);
    expect(existsSync(join(project.folder, "main.js"))).toBe(true);

    // Links could lead to files of the machine that applies the plan.
    symlinkSync("/etc/passwd", join(plans, "stacks", "one", "link"));
    expect(await project.run("deploy", ...apply)).toMatchObject({ code: 0 });
    expect(readdirSync(join(project.folder, "cdktf.out", "stacks", "one"))).not.toContain("link");
    const other = join(project.folder, "other");
    cpSync(plans, other, { recursive: true });
    const manifest = `{"stacks": {"one": {"name": "one", "workingDirectory": "../../x", "synthesizedStackPath": "y"}}}`;
    writeFileSync(join(other, "manifest.json"), manifest);
    const outside = await project.run("deploy", "--plan", "other", "--auto-approve");
    expect(outside.code).toBe(1);
    expect(outside.output).toContain("contains a path outside of that folder");
  });
});
