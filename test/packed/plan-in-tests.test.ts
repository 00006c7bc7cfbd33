import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { allTests, sample } from "../all-tests";
import { projectToInstall, ran as ranIn, vendoredPackage } from "./existing-project";
import { packedProject, writeFiles } from "./packed-project";

/** The libraries of constructs, and the paths of our package for them. */
const libraries = { cdktf: "@trivet/constructs", cdktn: "@trivet/constructs/cdktn" } as const;

/** How each tool for tests is set up, and run. jest runs what the compiler has written. */
const tools = {
  jest: {
    packages: ["jest", "@types/jest"],
    header: "",
    command: ["node_modules/jest/bin/jest.js", "--ci=false", "build"],
    snapshot: "build/__snapshots__/plan.test.js.snap",
  },
  vitest: {
    packages: ["vitest"],
    header: `import { expect, test } from "vitest";`,
    command: ["node_modules/vitest/vitest.mjs", "run", "plan.test.ts"],
    snapshot: "__snapshots__/plan.test.ts.snap",
  },
};

const compilerOptions = { target: "es2022", module: "node16", strict: true, skipLibCheck: true };

type Library = keyof typeof libraries;
type Tool = keyof typeof tools;

const tests = (library: Library, { header }: { readonly header: string }): string => `${header}
import { TerraformStack } from "${library}";
import { RootConstruct } from "constructs";
import { ids } from "${libraries[library]}";
import { planMatchers, planOf } from "${libraries[library]}/testing";

expect.extend(planMatchers);

class WatchStack extends TerraformStack {
  readonly edge: ids.Endpoint;
  constructor(props: Partial<ids.EndpointProps> = {}) {
    super(new RootConstruct(), "watch");
    new ids.IdsProvider(this, "ids", { project: "p", zone: "us-central1-a" });
    this.edge = new ids.Endpoint(this, "edge", {
      endpointId: "edge", network: "n", severity: "HIGH", ...props,
    });
  }
}

test("creates an endpoint", async () => {
  const stack = new WatchStack();
  const plan = await planOf(stack);
  expect(plan).toCreate(stack.edge);
  expect(plan).toMatchSnapshot();
});

test("replaces it in another zone", async () => {
  const stack = new WatchStack({ location: "us-central1-b" });
  const plan = await planOf(stack, { from: new WatchStack() });
  expect(plan).toReplace(stack.edge, "location");
  expect(plan).not.toUpdate(stack.edge, ["location"]);
  expect(() => expect(plan).toChangeNothing()).toThrow("The plan has 1 to replace");
  // @ts-expect-error -- a number is no resource
  expect(() => expect(plan).toKeep(1)).toThrow();
});
`;

function ran(project: string, args: readonly string[]): string {
  // As users have it: with a home, where providers keep compiled code when Terraform starts them.
  const own = join(project, "tmp");
  const env = { PATH: process.env["PATH"], CI: "", NO_COLOR: "1", TMPDIR: own, HOME: own };
  const options = { cwd: project, encoding: "utf8", env } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  expect({ status, output: stdout + stderr }).toMatchObject({ status: 0 });
  return stdout + stderr;
}

const all: readonly (readonly [Tool, Library])[] = [
  ["jest", "cdktf"],
  ["vitest", "cdktn"],
  ["jest", "cdktn"],
  ["vitest", "cdktf"],
];

test.each(sample(all, all.slice(0, 2)))(
  "a project with %s and %s plans its stacks in tests, with types",
  (tool, library) => {
    const { packages, command, snapshot, header } = tools[tool];
    const others = [library, "constructs", "typescript", "@types/node", ...packages];
    const project = packedProject(others);
    const types = tool === "jest" ? ["node", "jest"] : ["node"];
    const options = { ...compilerOptions, outDir: "build", types };
    writeFiles(project, {
      "plan.test.ts": tests(library, { header }),
      "package.json": JSON.stringify({ jest: { transform: {} } }),
      "tsconfig.json": JSON.stringify({ compilerOptions: options, include: ["*.ts"] }),
      "tmp/.keep": "",
    });
    ran(project, ["node_modules/typescript/bin/tsc"]);
    expect(ran(project, command)).toMatch(/Tests:? +2 passed/);
    expect(readFileSync(join(project, snapshot), "utf8")).toContain(`
  + ids_endpoint.edge
      + endpoint_id = "edge"
`);
    // A plan leaves nothing behind.
    expect(existsSync(join(project, "cdktf.out"))).toBe(false);
    expect(
      readdirSync(join(project, "tmp")).filter((name) => /cdkt|trivet|\.cache/.test(name)),
    ).toEqual([]);
  },
);

/** Other ways in which jest compiles tests. */
const compilers = {
  swc: {
    packages: "@swc/core@1.16.22 @swc/jest@0.2.39",
    manifest: { jest: { transform: { "\\.ts$": "@swc/jest" } } },
    options: "",
  },
  babel: {
    packages: "@babel/core@7.29.13 @babel/preset-env@7.29.14 @babel/preset-typescript@7.29.7",
    manifest: { babel: { presets: ["@babel/preset-env", "@babel/preset-typescript"] } },
    options: "",
  },
  "ts-jest as ES modules": {
    packages: "ts-jest@29.4.15 typescript@5.9.3 @types/jest@30.0.0",
    manifest: {
      type: "module",
      jest: {
        extensionsToTreatAsEsm: [".ts"],
        transform: {
          "\\.ts$": ["ts-jest", { useESM: true, diagnostics: { ignoreCodes: [151002] } }],
        },
      },
    },
    options: "--experimental-vm-modules",
  },
};

for (const [name, { packages, manifest, options }] of allTests ? Object.entries(compilers) : []) {
  test(`jest with ${name} plans a stack`, async () => {
    const project = projectToInstall({
      "package.json": JSON.stringify({ name: "demo", private: true, ...manifest }),
      "tsconfig.json": JSON.stringify({ compilerOptions }),
      "plan.test.ts": tests("cdktf", tools.jest),
    });
    const others = `cdktf@0.21.0 constructs@10.7.2 jest@30.5.2 ${packages}`;
    await ranIn(project, `npm install --no-audit --no-fund ${vendoredPackage} ${others}`);
    const env = { NODE_OPTIONS: options };
    expect(await ranIn(project, "npx --no-install jest --ci=false", { env })).toMatch(
      /Tests: +2 passed/,
    );
  });
}

test("the tests need neither jest nor vitest, and nothing else loads what they load", () => {
  const project = packedProject(["cdktf", "constructs"]);
  const loaded = (entry: string): string[] => {
    const script = `require("${entry}"); console.log(JSON.stringify(Object.keys(require.cache)))`;
    const files = JSON.parse(ran(project, ["-e", script])) as string[];
    return files.filter((file) =>
      /@trivet\/.*\/(?:testing|offline-plan|provider-kit)\//.test(file),
    );
  };
  expect(loaded("@trivet/constructs/testing")).not.toEqual([]);
  expect(loaded("@trivet/constructs")).toEqual([]);
});
