import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../e2e/support/build";
import { sample } from "../all-tests";
import { providerNames } from "../provider-names";
import { packedProject, writeFiles } from "./packed-project";

interface Outcome {
  readonly status: number | null;
  readonly output: string;
}

function run(project: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Outcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: project,
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  return { status, output: stdout + stderr };
}

const succeeded = (outcome: Outcome): string => {
  expect(outcome).toMatchObject({ status: 0 });
  return outcome.output;
};

const entries = ["", ...providerNames.map((name) => `/${name}`)];

/** Prints the name of each package that the module loads, and what else `script` prints. */
const loading = (module: string, script = ""): string => `
  const it = require("${module}");
  ${script}
  const packages = Object.keys(require.cache).map((file) => file.split("node_modules/")[1].split("/")[0]);
  console.log(JSON.stringify([...new Set(packages)].sort()));`;

const endpoint = (constructs: string, library: string): string => `
  const { Testing, TerraformStack } = require("${library}");
  const { ids } = require("${constructs}");
  const stack = new TerraformStack(Testing.app(), "Demo");
  new ids.IdsProvider(stack, "ids", { project: "p", zone: "us-central1-a" });
  new ids.Endpoint(stack, "edge", { endpointId: "edge", network: "n", severity: "LOW" });
  process.stdout.write(Testing.synth(stack, true));`;

describe("the package in a project with cdktn", () => {
  let project = "";
  beforeAll(() => (project = packedProject(["cdktn", "constructs"])));

  test.each(entries)("@trivet/constructs/cdktn%s loads cdktn and nothing of cdktf", (entry) => {
    const output = succeeded(run(project, ["-e", loading(`@trivet/constructs/cdktn${entry}`)]));
    expect(JSON.parse(output)).toEqual(["@trivet", "cdktn", "constructs"]);
  });

  test("@trivet/constructs/cdktn loads nothing of cdktf with constructs and rules either", () => {
    const script = `
      const { Testing, TerraformStack } = require("cdktn");
      const stack = new TerraformStack(Testing.app(), "Demo");
      new it.ids.IdsProvider(stack, "ids", { project: "p", zone: "us-central1-a" });
      new it.ids.Endpoint(stack, "edge", { endpointId: "edge", network: "n", severity: "LOW" });
      Testing.synth(stack, true);`;
    const output = succeeded(run(project, ["-e", loading("@trivet/constructs/cdktn", script)]));
    expect(JSON.parse(output)).toEqual(["@trivet", "cdktn", "constructs"]);
  });

  test.each(entries)("@trivet/constructs%s says what to import instead", (entry) => {
    const { status, output } = run(project, ["-e", `require("@trivet/constructs${entry}")`]);
    expect(status).toBe(1);
    expect(output).toContain(
      'Error: "@trivet/constructs" needs cdktf, which is not installed, but cdktn is: write "@trivet/constructs/cdktn" instead of "@trivet/constructs" in your imports',
    );
  });
});

describe("the package in a project with cdktf", () => {
  test("@trivet/constructs loads nothing of cdktn, and its cdktn says what to import instead", () => {
    const project = packedProject(["cdktf", "constructs"]);
    const output = succeeded(run(project, ["-e", loading("@trivet/constructs")]));
    expect(JSON.parse(output)).not.toContain("cdktn");
    const wrong = run(project, ["-e", `require("@trivet/constructs/cdktn/ids")`]);
    expect(wrong.status).toBe(1);
    expect(wrong.output).toContain(
      'Error: "@trivet/constructs/cdktn" needs cdktn, which is not installed, but cdktf is: write "@trivet/constructs" instead of "@trivet/constructs/cdktn" in your imports',
    );
  });
});

test("a stack loads the constructs and bindings of its own resources, and no others", () => {
  const project = packedProject(["cdktf", "constructs"]);
  const script = `
    ${endpoint("@trivet/constructs", "cdktf").replace(/process\.stdout\.write\((.*)\);/, "$1;")}
    const files = Object.keys(require.cache).map((file) => file.split("/constructs/dist/")[1] ?? "");
    const isOne = (file) => file.startsWith("bindings/") || file.endsWith("/construct.js");
    console.log(JSON.stringify(files.filter(isOne).sort()));`;
  expect(JSON.parse(succeeded(run(project, ["-e", script])))).toEqual([
    "bindings/providers/ids/endpoint/index.js",
    "bindings/providers/ids/provider/index.js",
    "src/core/ids/endpoint/construct.js",
    "src/core/ids/provider/construct.js",
  ]);
});

test.each(["cdktf", "cdktn"])("ES modules of a project with %s import by name", (library) => {
  const project = packedProject([library, "constructs"]);
  const path = constructsFor(library);
  const script = `
    import { ids, ValidationError } from "${path}";
    import { Endpoint } from "${path}/ids";
    import { Agent, OperatingSystem } from "${path}/workspace";
    console.log(ids.Endpoint === Endpoint, typeof Agent, OperatingSystem.LINUX, typeof ValidationError);`;
  const output = succeeded(run(project, ["--input-type=module", "-e", script]));
  expect(output.trim()).toBe("true function linux function");
});

test("the package in a project with neither library says what to install", () => {
  const project = packedProject(["constructs"]);
  expect(run(project, ["-e", `require("@trivet/constructs")`]).output).toContain(
    'Error: "@trivet/constructs" needs cdktf, which is not installed: run `npm install cdktf`, or `npm install cdktn` and write "@trivet/constructs/cdktn" instead of "@trivet/constructs" in your imports',
  );
  expect(run(project, ["-e", `require("@trivet/constructs/cdktn")`]).output).toContain(
    'Error: "@trivet/constructs/cdktn" needs cdktn, which is not installed: run `npm install cdktn`, or `npm install cdktf` and write "@trivet/constructs" instead of "@trivet/constructs/cdktn" in your imports',
  );
});

describe("a project with both libraries", () => {
  let project = "";
  beforeAll(() => (project = packedProject(["cdktf", "cdktn", "constructs"])));

  test("synthesizes the same with either", () => {
    const [before = "", after = ""] = ["cdktf", "cdktn"].map((library) =>
      succeeded(run(project, ["-e", endpoint(constructsFor(library), library)])),
    );
    expect(JSON.parse(before)).toHaveProperty("resource.ids_endpoint.edge.endpoint_id", "edge");
    expect(JSON.parse(after)).toEqual(JSON.parse(before));
  });

  test.each(["cdktf", "cdktn"])("refuses a construct for the other in a stack of %s", (library) => {
    const other = library === "cdktf" ? "cdktn" : "cdktf";
    const { status, output } = run(project, ["-e", endpoint(constructsFor(other), library)]);
    expect(status).toBe(1);
    expect(output).toContain(
      `ids.IdsProvider at Demo/ids: 1 problem\n  must be in a stack of ${other}, but Demo is a stack of ${library}: ` +
        `write "${constructsFor(library)}" instead of "${constructsFor(other)}" in your imports`,
    );
  });
});

describe("the demo's stacks, moved to cdktn as the guide says", () => {
  const settings = {
    TRIVET_IDS_ENDPOINT: "http://127.0.0.1:1/v1/",
    DEMO_IMAGE: `127.0.0.1:1/demo/app@sha256:${"a".repeat(64)}`,
    DEMO_REGISTRY: "127.0.0.1:1",
    DEMO_FULCIO_URL: "http://127.0.0.1:2",
    DEMO_REKOR_URL: "http://127.0.0.1:3",
    DEMO_TRUSTED_ROOT: "root.json",
    DEMO_SIGNER: "release@example.com",
    DEMO_ISSUER: "https://issuer.example.com",
    DEMO_SBOM: "sbom.json",
    DEMO_SOURCE_URI: "https://example.com/app",
    DEMO_SOURCE_COMMIT: "b".repeat(40),
  };

  /** Compiles the stacks against the packed types, with their libraries' own types checked, and runs them. */
  function synthesized(library: string): Readonly<Record<string, unknown>> {
    const project = packedProject([library, "constructs", "typescript", "@types/node"]);
    const sources = join(root, "stacks");
    for (const name of readdirSync(sources).filter((each) => each.endsWith(".ts"))) {
      const text = readFileSync(join(sources, name), "utf8")
        .replaceAll('"cdktf"', `"${library}"`)
        .replaceAll('"@trivet/constructs"', `"${constructsFor(library)}"`);
      writeFiles(project, { [name]: text });
    }
    const options = {
      target: "es2022",
      module: "node16",
      strict: true,
      exactOptionalPropertyTypes: true,
      // The types for cdktn are made from those for cdktf.
      skipLibCheck: sample(false, library === "cdktf"),
      types: ["node"],
      outDir: "build",
    };
    writeFiles(project, {
      "tsconfig.json": JSON.stringify({ compilerOptions: options }),
      "sbom.json": "{}",
      "root.json": "{}",
    });
    succeeded(run(project, ["node_modules/typescript/bin/tsc"]));
    for (const product of ["trivet", "coder"]) {
      const folder = `${product}.out`;
      const env = { ...settings, DEMO_PRODUCT: product, CDKTF_OUTDIR: join(project, folder) };
      succeeded(run(project, ["build/main.js"], env));
    }
    return Object.fromEntries(
      ["trivet.out", "coder.out"].flatMap((folder) => {
        const files = readdirSync(join(project, folder), { recursive: true, encoding: "utf8" });
        return files
          .filter((file) => /\.tf(\.json)?$/.test(file))
          .map((file) => {
            const text = readFileSync(join(project, folder, file), "utf8").replaceAll(project, "/");
            return [
              `${folder}/${file}`,
              file.endsWith(".json") ? withoutMetadata(JSON.parse(text)) : text,
            ];
          });
      }),
    );
  }

  test("synthesize to the same Terraform", () => {
    const before = synthesized("cdktf");
    expect(Object.keys(before).sort()).toEqual(
      expect.arrayContaining(
        ["ids-demo", "signing-demo", "workspace-template"].map(
          (name) => expect.stringContaining(`trivet.out/stacks/${name}/cdk.tf`) as string,
        ),
      ),
    );
    expect(synthesized("cdktn")).toEqual(before);
  });
});

const constructsFor = (library: string): string =>
  library === "cdktf" ? "@trivet/constructs" : "@trivet/constructs/cdktn";

/** Without the comments of the libraries: their version, and the path of each construct. */
function withoutMetadata(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMetadata);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) =>
      key === "//" ? [] : [[key, withoutMetadata(each)]],
    ),
  );
}
