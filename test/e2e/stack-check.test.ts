import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { endpoint } from "../../src/core/ids/endpoint/declare";
import { implement, provider, providerRoutes, resource } from "../../src/core/provider-kit";
import { startReattach } from "../../src/core/provider-kit/host/reattach";
import { expectShown, shown } from "../docs/output";
import { join } from "node:path";
import { endlessLoop } from "../endless-loop";
import { waiting } from "./support/command";
import { scenario } from "./support/scenario";
import { StackProject } from "./support/stack-project";
import type { Tool } from "./support/tool";

/** Google's provider, as far as Terraform needs it to plan what its states have. Returns how Terraform finds it. */
async function standInForGoogle(): Promise<Readonly<Record<string, string>>> {
  const { endpointId: name, ...attributes } = endpoint.attributes;
  const declaration = resource("google_cloud_ids_endpoint", {
    doc: "Stands in.",
    attributes: { ...attributes, name },
  });
  const never = () => Promise.reject(new Error("nothing is deployed here"));
  const handlers = implement(declaration)({
    create: never,
    read: (state) => Promise.resolve(state),
    update: never,
    delete: never,
  });
  const routes = providerRoutes({
    declaration: provider("google", { doc: "Stands in.", attributes: {} }),
    configure: () => null,
    resources: [handlers],
  });
  const source = "registry.terraform.io/hashicorp/google";
  const attached = await startReattach({ source, routes, env: {} });
  closing.push(attached.close);
  return attached.env;
}

const closing: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function project(tool: Tool = "terraform") {
  const { service, workspace } = await scenario(tool, { service: { pollsUntilDone: 0 } });
  return { service, workspace, made: new StackProject(service, workspace) };
}

const one = `const one = stack("one");
endpoint(one, "edge");`;

/** What `trivet plan` and `trivet check` say of the first stack. */
function changesIn(stdout: string): unknown {
  const { stacks } = JSON.parse(stdout) as { readonly stacks: readonly { changes: unknown }[] };
  return stacks[0]?.changes;
}

describe("`trivet check`", () => {
  it("plans without Terraform, credentials and the network, and writes nothing", async () => {
    const { made, service } = await project();
    made.write(one);
    const { code, stdout } = await made.run("check");
    expect(stdout).toContain(`+ ids_endpoint.edge at main.js:11:10\n      + endpoint_id = "edge"`);
    expect(stdout).toContain("one: 1 to add, compared with nothing deployed");
    expect(code).toBe(0);
    expect(service.requests).toEqual([]);
    expect(made.leftovers()).toEqual([]);
    const written = readdirSync(join(made.folder, "cdktf.out", "stacks", "one"));
    expect(written).toEqual(["cdk.tf.json"]);
  });

  it("says of a change, a replacement and no change what `trivet plan` says", async () => {
    const { made } = await project();
    made.write(one);
    expect(await made.run("deploy", "--auto-approve")).toMatchObject({ code: 0 });
    for (const props of [
      `{ severity: "LOW" }`,
      `{ location: "us-central1-b", labels: { a: "\${upper(\\"x\\")}" } }`,
      "{}",
    ]) {
      made.write(one.replace(`"edge")`, `"edge", ${props})`));
      const [planned, checked] = [
        await made.run("plan", "--json"),
        await made.run("check", "--json"),
      ];
      expect([planned.code, checked.code]).toEqual([0, 0]);
      expect(changesIn(checked.stdout)).toEqual(changesIn(planned.stdout));
    }
  });

  it("compares with stacks that were synthesized before, and refuses what it is told to", async () => {
    const { made } = await project();
    made.write(one);
    expect(await made.run("check")).toMatchObject({ code: 0 });
    cpSync(join(made.folder, "cdktf.out"), join(made.folder, "before"), { recursive: true });
    const same = await made.run("check", "--against", "before");
    expect(same.stdout).toContain("one: no changes, compared with before");

    made.write(one.replace(`"edge")`, `"edge", { location: "us-central1-b" })`));
    const refused = await made.run("check", "--against", "before", "--refuse", "destroy");
    expect(refused.code).toBe(3);
    expect(refused.stdout).toContain(
      `~ location = "us-central1-a" → "us-central1-b" # forces replacement`,
    );
    expect(refused.stdout).toContain("refused by --refuse: ids_endpoint.edge would be replaced");
    const other = ["--refuse", "replace:ids_other,create"];
    expect(await made.run("check", "--against", "before", ...other)).toMatchObject({ code: 0 });
    const unknown = await made.run("check", "--refuse", "everything");
    expect(unknown.code).toBe(2);
    expect(unknown.output).toContain(`The option --refuse has the value "everything"`);
  });

  it("does not let a state pass that it cannot read", async () => {
    const { made } = await project();
    made.write(`const s3 = stack("a");
      new cdktf.S3Backend(s3, { bucket: "b", key: "k" });
      const http = stack("b");
      http.addOverride("terraform.backend", { http: { address: "http://127.0.0.1:1" } });
      const cloud = stack("c");
      cloud.addOverride("terraform", { backend: undefined, cloud: { organization: "o" } });`);
    const blind = await made.run("check", "--refuse", "destroy");
    expect(blind.code).toBe(2);
    expect(blind.stdout.match(/Error: --refuse has nothing to compare with/g)).toHaveLength(3);
    expect(blind.stdout.replaceAll(/\s+/g, " ")).toContain("Add --against with a state file");
    const free = await made.run("check");
    expect(free.code).toBe(0);
    for (const name of ["s3", "http", "cloud"]) {
      expect(free.stdout).toContain(`compared with nothing: the state is in ${name}, which is not`);
    }
    writeFileSync(join(made.folder, "state.json"), `{ "version": 4 }`);
    const compared = ["a", "--against", "state.json", "--refuse", "destroy"];
    expect(await made.run("check", ...compared)).toMatchObject({ code: 0 });
  });

  it("compares with the file that Terraform writes where no path is set", async () => {
    const { made } = await project();
    made.write(`${one}\none.addOverride("terraform.backend.local.path", undefined);`);
    expect(await made.run("deploy", "--auto-approve")).toMatchObject({ code: 0 });
    made.write(`const one = stack("one");\none.addOverride("terraform.backend", undefined);`);
    expect(await made.run("check", "--refuse", "destroy")).toMatchObject({ code: 3 });
  });

  it("refuses a folder without stacks, with which nothing would be compared", async () => {
    const { made } = await project();
    made.write(one);
    const { code, output } = await made.run("check", "--against", ".", "--refuse", "destroy");
    expect(code).toBe(1);
    expect(output).toContain("The folder of --against contains no synthesized stacks: .");
  });

  it("says how much is not known, instead of `no changes`", async () => {
    const { made } = await project();
    made.write(`const one = stack("one");
      for (const id of ["a", "b"]) new cdktf.TerraformResource(one, id, { terraformResourceType: "other_thing" });`);
    expect((await made.run("check")).stdout).toContain("one: 2 not known, nothing else changes,");
    made.write(`${one}
      new cdktf.TerraformResource(one, "a", { terraformResourceType: "other_thing" });`);
    expect((await made.run("check")).stdout).toContain("one: 1 to add, 1 not known, compared with");
  });

  it("refuses a deployment, too, before anything is changed", async () => {
    const { made, service } = await project();
    made.write(one);
    expect(await made.run("deploy", "--auto-approve")).toMatchObject({ code: 0 });
    made.write(one.replace(`"edge")`, `"edge", { location: "us-central1-b" })`));
    for (const args of [["plan"], ["deploy", "--auto-approve"]] as const) {
      const [command, ...rest] = args;
      const { code, stdout } = await made.run(command, ...rest, "--refuse", "replace");
      expect([
        code,
        stdout.includes("refused by --refuse: ids_endpoint.edge would be replaced"),
      ]).toEqual([3, true]);
    }
    expect(service.changes).toEqual(["POST edge"]);
    const allowed = ["--auto-approve", "--refuse", "destroy:ids_other"];
    expect(await made.run("deploy", ...allowed)).toMatchObject({ code: 0 });
  });

  it("checks again after each change of the sources, until it is interrupted", async () => {
    const { made } = await project();
    made.write("throw new Error('not yet')");
    const started = made.start("check", ["--watch"]);
    const waited = waiting(started);
    await waited(1);
    made.write(one);
    await waited(2);
    started.child.kill("SIGINT");
    const { code, output } = await started.ended;
    expect(code).toBe(130);
    expect(output).toContain("The app could not synthesize the stacks");
    expect(output).toContain("one: 1 to add, compared with nothing deployed");
  });

  it("tells, as `trivet plan` does, how to keep a resource whose construct has another name", async () => {
    const { made, service } = await project();
    made.write(one);
    expect(await made.run("deploy", "--auto-approve")).toMatchObject({ code: 0 });
    const renamed = `const one = stack("one");
const border = endpoint(one, "border", { endpointId: "edge" });`;
    made.write(renamed);
    for (const command of ["check", "plan"]) {
      const { stdout } = await made.run(command);
      expect(stdout).toContain(`call moveFromId("ids_endpoint.edge") on the construct of`);
    }
    made.write(`${renamed}\nborder.moveFromId("ids_endpoint.edge");`);
    expect((await made.run("check")).stdout).toContain("moved from ids_endpoint.edge");
    expect(await made.run("deploy", "--auto-approve")).toMatchObject({ code: 0 });
    expect(service.changes).toEqual(["POST edge"]);
  });

  it("tells, as `trivet plan` does, how to take over what another provider has deployed", async () => {
    const { made } = await project();
    made.write(one);
    expect(await made.run("deploy", "--auto-approve")).toMatchObject({ code: 0 });
    const file = join(made.folder, "terraform.one.tfstate");
    const state = JSON.parse(readFileSync(file, "utf8")) as {
      readonly resources: { instances: { attributes: Record<string, unknown> }[] }[];
    };
    const [resource] = state.resources;
    const [instance] = resource?.instances ?? [];
    if (resource === undefined || instance === undefined) throw new Error("nothing is deployed");
    Object.assign(resource, {
      type: "google_cloud_ids_endpoint",
      provider: `provider["registry.terraform.io/hashicorp/google"]`,
    });
    const { endpoint_id: name, ...attributes } = instance.attributes;
    instance.attributes = { ...attributes, name };
    writeFileSync(file, JSON.stringify(state));
    const advice = shown("docs/guide/coming-from-other-providers.md", "advice");
    expectShown((await made.run("check")).stdout, advice);
    const google = await standInForGoogle();
    const planned = await made.start("plan", [], google).ended;
    expectShown(planned.stdout, advice);
    expect(planned.stdout).toContain("- google_cloud_ids_endpoint.edge");
    made.write(`${one.replace("endpoint(", "const edge = endpoint(")}
edge.moveFromId("google_cloud_ids_endpoint.edge");`);
    const { stdout } = await made.run("check");
    expect(stdout).not.toContain("are the same");
    expect(stdout).toContain("moved from google_cloud_ids_endpoint.edge");
    made.write(one.replace(`"edge")`, `"edge", { endpointId: "other" })`));
    expect((await made.run("check")).stdout).not.toContain("are the same");
    expect((await made.start("plan", [], google).ended).stdout).not.toContain("are the same");
  });

  it("is not needed to see warnings: `trivet synth` prints them, too, and writes the stacks", async () => {
    const { made } = await project();
    made.write(`endpoint(stack("one"), "edge", { severity: undefined });`);
    const { code, stdout, output } = await made.run("synth");
    expect([code, stdout]).toEqual([0, ""]);
    expect(output).toContain(
      "Warning [endpoint-without-severity] at one/edge (main.js:11:10): severity: should be set",
    );
    expect(output).toContain("\ntrivet: wrote to cdktf.out/stacks: one (1 resource)\n");
    expect(existsSync(join(made.folder, "cdktf.out", "stacks", "one", "cdk.tf.json"))).toBe(true);
    made.configure({ output: "out" });
    made.write(`cdktf.Annotations.of(stack("one")).addError("is not finished");
      const two = stack("two");
      for (const id of ["edge", "office"]) endpoint(two, id);`);
    const failed = await made.run("synth");
    expect(failed.output).toContain(
      "\ntrivet: wrote to out/stacks: one (0 resources), two (2 resources)\n",
    );
    expect(failed).toMatchObject({
      code: 1,
      output: expect.stringContaining("Error at one") as string,
    });
  });

  it("keeps acknowledged warnings in the report, with reason and path", async () => {
    const { made } = await project();
    // The form of the network is known only to the plan.
    const warned = `${one}
      const network = new cdktf.TerraformVariable(one, "network", { default: "main" });
      const second = endpoint(one, "second", { network: network.stringValue, severity: undefined });`;
    made.write(warned);
    const before = await made.run("check");
    expect(before.code).toBe(0);
    expect(before.stdout).toContain(
      "  Warning [endpoint-without-severity] at one/second (main.js:11:10): severity: should be set",
    );
    expect(before.stdout).toContain("  Warning [endpoint-network-form]: Questionable");
    const hint =
      "trivet: `trivet explain endpoint-without-severity` explains it, and shows an example";
    expect(before.output.split("\n").filter((line) => line.includes("explain"))).toEqual([hint]);

    made.write(`${warned}
      acknowledge(one, "endpoint-network-form", "short names are allowed there");
      acknowledge(second, "endpoint-without-severity", "refused on purpose");
      acknowledge(second, "endpoint-not-zonal", "left over");`);
    const after = await made.run("check");
    expect(after.code).toBe(0);
    expect(after.stdout).not.toMatch(/^ *Warning/m);
    expect(after.output).not.toContain("trivet explain");
    expect(after.stdout).toMatch(
      /Acknowledged warning \[endpoint-without-severity\] at one\/second \(main.*\): severity: .*\n {4}acknowledged at one\/second: refused on purpose\n/,
    );
    expect(after.stdout).toMatch(
      /Acknowledged warning \[endpoint-network-form\]: Q[^]*?\n {4}acknowledged at one: short names are allowed there\n/,
    );
    expect(after.stdout).toContain(
      "Note [endpoint-not-zonal] at one/second (main.js:11:10): the acknowledgement matches no warning",
    );
    expect(after.stdout).not.toContain("Note [endpoint-network-form]");

    const { stdout } = await made.run("check", "--json");
    const { stacks } = JSON.parse(stdout) as { stacks: readonly unknown[] };
    expect(stacks).toMatchObject([
      {
        annotations: expect.arrayContaining([
          expect.objectContaining({
            code: "endpoint-without-severity",
            acknowledged: { path: "one/second", reason: "refused on purpose" },
          }),
        ]) as unknown,
        diagnostics: expect.arrayContaining([
          expect.objectContaining({
            address: "ids_endpoint.second",
            code: "endpoint-network-form",
            acknowledged: { path: "one", reason: "short names are allowed there" },
          }),
        ]) as unknown,
      },
    ]);
  });

  it("names the page of what a construct refuses", async () => {
    const { made } = await project();
    made.write(`${one}
      endpoint(one, "wrong", { endpointId: "Wrong" });`);
    const { code, output } = await made.run("check");
    expect(code).toBe(1);
    expect(output).toContain('must start with a lowercase letter (got "Wrong") [INVALID_ARGUMENT]');
    expect(output).toContain(
      "Its output shows the reason, which `trivet explain INVALID_ARGUMENT` explains.",
    );
  });

  it("shows no value of a sensitive variable, neither here nor in the comment of a plan", async () => {
    const { made } = await project();
    made.write(`const one = stack("one");
      const secret = new cdktf.TerraformVariable(one, "secret", { type: "string", sensitive: true });
      endpoint(one, "edge", { severity: secret.stringValue, description: secret.stringValue });
      endpoint(one, "other", { endpointId: cdktf.Fn.base64encode(secret.stringValue) });`);
    const env = { TF_VAR_secret: "hunter2-very-secret" };
    const derived = Buffer.from(env.TF_VAR_secret).toString("base64");
    for (const args of [
      ["check"],
      ["check", "--json"],
      ["plan", "--json"],
      ["plan", "--markdown"],
    ]) {
      const [command = "", ...rest] = args;
      const { output } = await made.start(command, rest, env).ended;
      expect(output).toMatch(/\(got \\*"\*\*\*\\*"\)/);
      expect(output).not.toContain(env.TF_VAR_secret);
      expect(output).not.toContain(derived);
    }
  });

  it("reports every finding with its address, and fails", async () => {
    const { made } = await project();
    made.write(`${one}
      new cdktf.TerraformOutput(one, "lost", { value: "\${var.missing}" });
      new cdktf.TerraformOutput(one, "wrong", { value: "\${upper()}" });`);
    const { code, stdout } = await made.run("check");
    expect(code).toBe(1);
    expect(stdout).toContain("output.lost\n    There is no var.missing in the stack.");
    expect(stdout).toContain("output.wrong\n    The function upper expects 1");
    expect(stdout).toContain("one: has errors, so it is not planned");
  });

  // What else is refused: planner/testing/plan-of.
  it("names a broken state", async () => {
    const { made } = await project();
    made.write(one);
    writeFileSync(join(made.folder, "broken.tfstate"), "[]");
    const { code, output } = await made.run("check", "--against", "broken.tfstate");
    expect(code).toBe(1);
    expect(output).toContain("broken.tfstate");
    expect(output).toContain("the state is not a JSON object");
  });

  it("needs no Terraform on PATH", async () => {
    const { made, workspace } = await project();
    made.write(one);
    const bin = join(workspace.folder, "only-node");
    mkdirSync(bin);
    symlinkSync(process.execPath, join(bin, "node"));
    symlinkSync("/bin/sh", join(bin, "sh"));
    const { ended } = made.start("check", [], { PATH: bin });
    expect(await ended).toMatchObject({ code: 0 });
  });

  it("ends an app in an endless loop, and names its line", async () => {
    const { made } = await project();
    made.write(`stack("one");\nfunction spin() {\n  ${endlessLoop}\n}\nspin();`);
    const { code, output } = await made.start("check", [], { TRIVET_APP_TIMEOUT: "5" }).ended;
    const [, place = ""] =
      /trivet: (main\.js:16:\d+): the app was blocked for 5 s, as by an endless loop/.exec(
        output,
      ) ?? [];
    expect(output).toContain(`"node main.js" ended with 137 at ${place}.`);
    expect(code).toBe(1);
    const wrong = await made.start("check", [], { TRIVET_APP_TIMEOUT: "soon" }).ended;
    expect(wrong.code).toBe(2);
    expect(wrong.output).toContain(
      `TRIVET_APP_TIMEOUT must be a number of seconds, at most a day (got "soon").`,
    );
  });
});
