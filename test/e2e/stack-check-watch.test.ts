import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isProcessAlive } from "../../src/core/process/process-facts";
import { until } from "../until";
import { root } from "./support/build";
import { saying, waiting } from "./support/command";
import { scenario } from "./support/scenario";
import { StackProject } from "./support/stack-project";

const source = (severity: string): string => `import { App, TerraformStack } from "cdktf";
import { ids } from ${JSON.stringify(join(root, "dist/src/index.js"))};

console.error("in process " + process.pid);
const app = new App();
const stack = new TerraformStack(app, "watch");
new ids.IdsProvider(stack, "ids", { project: "p", zone: "us-central1-a" });

new ids.Endpoint(stack, "edge", {
  endpointId: "edge",
  network: "projects/p/global/networks/n",
  severity: ${severity},
});
app.synth();
`;

/** A project whose compiler writes files, as that of `trivet init` does. */
async function compiledProject() {
  const { service, workspace } = await scenario("terraform");
  const made = new StackProject(service, workspace);
  made.configure({ app: "node node_modules/typescript/bin/tsc && node build/main.js" });
  const compilerOptions = {
    target: "es2022",
    module: "commonjs",
    outDir: "build",
    sourceMap: true,
    skipLibCheck: true,
    strict: true,
    types: ["node"],
  };
  const config = JSON.stringify({ compilerOptions, include: ["main.ts"] });
  writeFileSync(join(made.folder, "tsconfig.json"), config);
  const write = (severity: string): void => {
    writeFileSync(join(made.folder, "main.ts"), source(severity));
  };
  write(`"HIGH"`);
  return { made, write };
}

const processesIn = (output: string): readonly string[] =>
  [...output.matchAll(/in process (\d+)/g)].map(([, pid = ""]) => pid);

describe("`trivet check --watch`", () => {
  it("runs the app again in its process, with its newest sources and their lines", async () => {
    const { made, write } = await compiledProject();
    const started = made.start("check", ["--watch"]);
    const waited = waiting(started);
    await waited(1);
    write(`"LOW"`);
    await waited(2);
    write(`// Moves what follows.\n    "MEDIUM"`);
    await waited(3);
    started.child.kill("SIGINT");
    const { code, output } = await started.ended;
    expect(code).toBe(130);
    for (const severity of ["HIGH", "LOW", "MEDIUM"]) {
      expect(output).toContain(`+ severity = "${severity}"`);
    }
    expect(output.match(/ids_endpoint\.edge at main\.ts:9:1\n/g)).toHaveLength(3);
    const [first, second, third] = processesIn(output);
    expect([second, third]).toEqual([first, first]);
  });

  it("leaves failures to the app's own compiler, and says that the last plan is old", async () => {
    const { made, write } = await compiledProject();
    const started = made.start("check", ["--watch"]);
    const waited = waiting(started);
    await waited(1);
    write(`"NONE"`);
    await waited(2);
    write(`"LOW"`);
    await waited(3);
    started.child.kill("SIGINT");
    const { output } = await started.ended;
    expect(output).toContain("main.ts(12,3): error TS");
    expect(output).toContain("the plan above is outdated: it does not include this change");
    expect(output).toContain(`+ severity = "LOW"`);
    const [first, second, third] = processesIn(output);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it("tells of an error of types that does not keep the app from running", async () => {
    const { made, write } = await compiledProject();
    const started = made.start("check", ["--watch"]);
    const said = saying(started);
    await said("waiting for changes");
    write(`(1 as string as ids.EndpointSeverity) && "LOW"`);
    await said("main.ts(12,14): error TS2352");
    started.child.kill("SIGINT");
    const { output } = await started.ended;
    expect(output).toContain("the app's own command fails");
    expect(output).toContain(`+ severity = "LOW"`);
  });

  it("ends with an app that does not end", async () => {
    const { service, workspace } = await scenario("terraform");
    const made = new StackProject(service, workspace);
    made.write(`console.error("in process " + process.pid);\nendpoint(stack("one"), "edge");`);
    const started = made.start("check", ["--watch"]);
    const said = saying(started);
    await said("waiting for changes");
    made.write(`console.error("endless in process " + process.pid);\nfor (;;) {}`);
    await said("endless");
    started.child.kill("SIGINT");
    const { code, output } = await started.ended;
    expect(code).toBe(130);
    const [pid = 0, again] = processesIn(output).map(Number);
    expect(again).toBe(pid);
    await until(() => !isProcessAlive({ pid, start: undefined }));
  });
});
