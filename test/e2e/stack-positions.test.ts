import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ModuleKind, ScriptTarget, transpileModule } from "typescript";
import { root } from "./support/build";
import { scenario } from "./support/scenario";
import { StackProject } from "./support/stack-project";

const source = `// The first line.
import { App, TerraformStack } from "cdktf";
import { Construct } from "constructs";
import { ids } from ${JSON.stringify(join(root, "dist/src/index.js"))};

class Team extends Construct {
  constructor(scope: Construct, id: string, severity: ids.EndpointSeverity) {
    super(scope, id);
    new ids.Endpoint(this, "edge", {
      endpointId: id,
      network: "projects/p/global/networks/n",
      severity,
    });
  }
}

interface Unused {}

const app = new App();
const stack = new TerraformStack(app, "watch");
new ids.IdsProvider(stack, "ids", { project: "p", zone: "us-central1-a",
  cloudIdsCustomEndpoint: process.env["TRIVET_IDS_ENDPOINT"]! });
new Team(stack, "one", ids.EndpointSeverity.HIGH);
app.synth();
`;

/** The user's source, and what a compiler makes of it: other lines than those of the source. */
function compile(text: string): { readonly code: string; readonly map: string } {
  const { outputText, sourceMapText = "" } = transpileModule(text, {
    fileName: "main.ts",
    compilerOptions: { target: ScriptTarget.ES2022, module: ModuleKind.CommonJS, sourceMap: true },
  });
  return { code: outputText.replace(/\/\/# sourceMappingURL.*/, ""), map: sourceMapText };
}

const inline = (map: string): string =>
  `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString("base64")}`;

/** The ways in which an app can come from its source. */
const ways: Readonly<
  Record<string, { app: string; write: (made: StackProject, text: string) => void }>
> = {
  "compiled, with a source map beside it": {
    app: "node main.js",
    write: ({ folder }, text) => {
      const { code, map } = compile(text);
      writeFileSync(join(folder, "main.js"), `${code}\n//# sourceMappingURL=main.js.map\n`);
      writeFileSync(join(folder, "main.js.map"), map);
    },
  },
  "compiled, with a source map in it that Node.js reads": {
    app: "node --enable-source-maps main.js",
    write: ({ folder }, text) => {
      const { code, map } = compile(text);
      writeFileSync(join(folder, "main.js"), `${code}\n${inline(map)}\n`);
    },
  },
  "compiled in its own process, as ts-node does": {
    app: "node run.js",
    write: ({ folder }, text) => {
      const { code, map } = compile(text);
      const file = JSON.stringify(join(folder, "main.ts"));
      writeFileSync(
        join(folder, "run.js"),
        `const compiled = ${JSON.stringify(`${code}\n${inline(map)}`)};
require("source-map-support").install({
  environment: "node", retrieveFile: (path) => (path === ${file} ? compiled : null) });
const Module = require("node:module");
const main = new Module(${file});
main.filename = ${file};
main.paths = module.paths;
main._compile(compiled, ${file});
`,
      );
    },
  },
};

describe.each(Object.entries(ways))("the lines of an app that is %s", (_, { app, write }) => {
  async function project(text: string): Promise<StackProject> {
    const { service, workspace } = await scenario("terraform", { service: { pollsUntilDone: 0 } });
    const made = new StackProject(service, workspace);
    made.configure({ app });
    writeFileSync(join(made.folder, "main.ts"), text);
    write(made, text);
    return made;
  }

  it("are those of its source, also of the constructs around", async () => {
    const made = await project(source);
    const { code, stdout } = await made.run("check");
    expect(code).toBe(0);
    expect(stdout).toContain("(one/edge) at main.ts:9:5, from main.ts:23:1\n");
    const json = JSON.parse((await made.run("check", "--json")).stdout) as {
      stacks: [{ changes: { resources: [{ position: unknown; createdFrom: unknown }] } }];
    };
    const [{ changes }] = json.stacks;
    const file = join(made.folder, "main.ts");
    expect(changes.resources).toMatchObject([
      { position: { file, line: 9, column: 5 }, createdFrom: [{ file, line: 23, column: 1 }] },
    ]);
  });

  it("are named when the app fails, with those of the causes", async () => {
    const failing = `${source}
try {
  JSON.parse("{");
} catch (cause) {
  throw new Error("no settings", { cause });
}
`;
    const { code, output } = await (await project(failing)).run("check");
    expect(code).toBe(1);
    expect(output).toContain(`ended with 1 at main.ts:29:9, caused at main.ts:27:8.`);
  });
});

describe("a line of the user's code", () => {
  it("is named with a problem of a plan, a failure of a deployment, and a warning", async () => {
    const { service, workspace } = await scenario("terraform", { service: { quota: 0 } });
    const made = new StackProject(service, workspace);
    made.write(`const one = stack("one");
const edge = endpoint(one, "edge", { location: "\${upper(1, 2)}" });
cdktf.Annotations.of(edge).addWarning("take care");`);
    const checked = await made.run("check");
    expect(checked.output).toMatch(/Warning at one\/edge \(main\.js:11:10\): take care/);
    expect(checked.output).toMatch(
      /Error: .*\n +ids_endpoint\.edge: location\n +at main\.js:11:10/,
    );
    expect(checked.code).toBe(1);

    made.write(`const one = stack("one");\nendpoint(one, "edge");`);
    const failed = await made.run("deploy", "--auto-approve");
    expect(failed.output).toMatch(/Error: .*\n +ids_endpoint\.edge.*\n +at main\.js:11:10/);
    expect(failed.code).toBe(1);
  });
});
