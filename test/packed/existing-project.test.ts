// docs/guide/adding-to-a-project.md says what is tried here.
import { symlinkSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { allTests } from "../all-tests";
import {
  app,
  attempt,
  certificatesForYarn,
  commandFolder,
  projectToInstall,
  ran,
  settings,
  tsconfig,
  vendoredPackage,
} from "./existing-project";
import { type Packed, packedProject, writeFiles } from "./packed-project";
import { type Program, programFile } from "./programs";

const libraries = ["cdktf", "constructs", "typescript", "@types/node"];
const check = "npx --no-install trivet check";
const place = "ids_endpoint.edge at watch-stack.ts:10:";

/** Tries a project that runs as an ES module: a plan names lines, and so does an error. */
async function expectPlaces(project: string, options: Parameters<typeof ran>[2]): Promise<void> {
  expect(await ran(project, check, options)).toContain(place);
  const env = { ENDPOINT: "Edge" };
  const { code, output } = await attempt(project, check, { ...options, env });
  expect(code).toBe(1);
  expect(output).toContain("endpointId: must start with a lowercase letter");
  expect(output).toContain("ended with 1 at watch-stack.ts:10:");
}

/** A test with `--all`, skipped by name where npm cannot install the program. */
function testWith(program: Program, what: string, run: (file: string) => Promise<void>): void {
  if (!allTests) return;
  const file = programFile(program);
  if (file === undefined) {
    test.skip(`${what}, because npm did not install ${program}`, () => undefined);
    return;
  }
  test(what, () => run(file));
}

test.each<[Packed, readonly string[]]>([
  ["constructs", ["cdktf", "cdktn", "constructs"]],
  ["provider-kit", []],
])("ES modules can import each name of the package %s", async (name, packages) => {
  const project = packedProject(packages, name);
  const names = `
    import { readFileSync } from "node:fs";
    import { createRequire } from "node:module";
    const own = "@trivet/${name}";
    const { exports } = JSON.parse(readFileSync(\`node_modules/\${own}/package.json\`, "utf8"));
    for (const path of Object.keys(exports).filter((each) => each !== "./package.json")) {
      const entry = own + path.slice(1);
      const imported = await import(entry);
      const all = Object.keys(createRequire(import.meta.url)(entry));
      console.log(entry, all.length > 0, all.filter((each) => !(each in imported)));
    }`;
  writeFiles(project, { "names.mjs": names });
  const lines = (await ran(project, "node names.mjs")).trim().split("\n");
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.filter((line) => !line.endsWith(" true []"))).toEqual([]);
});

/** An ES module that is checked by the compiler, and run by this command. */
function esModule(command: string, packages: readonly string[] = []): string {
  const project = packedProject([...libraries, ...packages]);
  writeFiles(project, {
    "package.json": JSON.stringify({ type: "module" }),
    "tsconfig.json": tsconfig,
    "cdktf.json": settings(command),
    ...app,
  });
  return project;
}

test("an ES module compiles, and tsx runs it", async () => {
  const project = esModule("npx tsx main.ts", ["tsx"]);
  await ran(project, "npx --no-install tsc");
  await expectPlaces(project, {});
});

for (const program of ["Node.js 22", "Node.js 24"] as const) {
  testWith(program, `${program} strips the types of an ES module`, async (file) => {
    await expectPlaces(esModule("node main.ts"), { path: [dirname(file)] });
  });
}

testWith("Bun", "Bun runs an ES module, and an endless loop is ended", async (file) => {
  const project = esModule("bun main.ts");
  const path = [dirname(file)];
  await expectPlaces(project, { path });
  const env = { LOOP: "1", TRIVET_APP_TIMEOUT: "1" };
  const { code, output } = await attempt(project, check, { path, env });
  expect(code).toBe(1);
  expect(output).toContain("the app was blocked for 1 s");
});

/** A workspace whose stack uses a construct from another package. */
const workspace = {
  "packages/network/index.ts": `
    import { Construct } from "constructs";
    import { ids } from "@trivet/constructs";
    export class WatchedNetwork extends Construct {
      constructor(scope: Construct, id: string) {
        super(scope, id);
        new ids.Endpoint(this, "endpoint", { endpointId: id, network: "n", severity: "HIGH" });
      }
    }`,
  "packages/network/package.json": JSON.stringify({
    name: "@demo/network",
    version: "1.0.0",
    type: "module",
    exports: "./index.ts",
    peerDependencies: { "@trivet/constructs": "*", cdktf: "^0.21.0", constructs: "^10.4.0" },
  }),
  "packages/stacks/main.ts": `
    import { App, TerraformStack } from "cdktf";
    import { ids } from "@trivet/constructs";
    import { WatchedNetwork } from "@demo/network";
    const app = new App();
    const stack = new TerraformStack(app, "watch");
    new ids.IdsProvider(stack, "ids", { project: "my-project", zone: "us-central1-f" });
    new WatchedNetwork(stack, "edge");
    app.synth();`,
  "packages/stacks/tsconfig.json": tsconfig,
};

const placeInPackage = "(edge/endpoint) at ../network/index.ts:7:9, from main.ts:8:5";

test("the stack of a workspace uses a construct from another package", async () => {
  const project = packedProject([...libraries, "tsx"]);
  writeFiles(project, { ...workspace, "packages/stacks/package.json": `{ "type": "module" }` });
  writeFiles(project, { "packages/stacks/cdktf.json": settings("npx tsx main.ts") });
  mkdirSync(join(project, "node_modules", "@demo"));
  // As npm, pnpm and Yarn do.
  symlinkSync(join(project, "packages/network"), join(project, "node_modules/@demo/network"));
  const stacks = join(project, "packages", "stacks");
  await ran(stacks, "npx --no-install tsc");
  expect(await ran(stacks, check)).toContain(placeInPackage);
});

interface Manager {
  readonly title: string;
  readonly program: Program | "npm";
  /** What starts it, and what starts the commands of packages. */
  readonly command: string;
  readonly exec: string;
  /** What the root's manifest says of our package, which is not on a registry. */
  readonly root: object;
  readonly files?: Readonly<Record<string, string>>;
}

const resolutions = { "@trivet/constructs": vendoredPackage };
const versions = { cdktf: "0.21.0", constructs: "10.7.2" };
const yarn = { program: "Yarn 4", command: "yarn", exec: "yarn", root: { resolutions } } as const;

const managers: readonly Manager[] = [
  {
    title: "npm",
    program: "npm",
    command: "npm",
    exec: "npx --no-install",
    root: { dependencies: { ...resolutions, ...versions } },
  },
  {
    title: "pnpm",
    program: "pnpm",
    command: "pnpm",
    exec: "pnpm exec",
    root: {},
    files: {
      "pnpm-workspace.yaml": `packages: ["packages/*"]\noverrides: ${JSON.stringify(resolutions)}\n`,
    },
  },
  { ...yarn, title: "Yarn 1", program: "Yarn 1" },
  {
    ...yarn,
    title: "Yarn 4 with node_modules",
    files: { ".yarnrc.yml": "nodeLinker: node-modules\nenableTelemetry: false\n" },
  },
  {
    ...yarn,
    title: "Yarn 4 with Plug'n'Play",
    files: { ".yarnrc.yml": "nodeLinker: pnp\nenableTelemetry: false\n" },
  },
];

for (const { title, program, command, exec, root, files = {} } of managers) {
  const what = `a workspace that ${title} installs has one copy of each library`;
  const run = async (file?: string): Promise<void> => {
    const project = projectToInstall({
      ...workspace,
      ...files,
      "package.json": JSON.stringify({
        name: "demo",
        private: true,
        workspaces: ["packages/*"],
        ...root,
      }),
      "packages/stacks/package.json": JSON.stringify({
        name: "@demo/stacks",
        version: "1.0.0",
        type: "module",
        dependencies: {
          "@demo/network": program === "pnpm" ? "workspace:*" : "*",
          "@trivet/constructs": "*",
          ...versions,
        },
        devDependencies: { "@types/node": "20.19.43", tsx: "4.23.15", typescript: "5.9.3" },
      }),
      "packages/stacks/cdktf.json": settings(`${exec} tsx main.ts`),
    });
    const path = file === undefined ? [] : [commandFolder(command, file)];
    const env = program === "Yarn 4" ? certificatesForYarn() : {};
    await ran(project, `${command} install`, { path, env });
    const stacks = join(project, "packages", "stacks");
    await ran(stacks, `${exec} tsc`, { path });
    expect(await ran(stacks, `${exec} trivet check`, { path })).toContain(placeInPackage);
    const { output } = await attempt(stacks, `${exec} trivet doctor`, { path });
    expect(output).not.toContain("copies of");
  };
  if (program !== "npm") testWith(program, what, run);
  else if (allTests) test(what, () => run());
}
