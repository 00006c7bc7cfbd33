import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  App,
  DataResource,
  TerraformLocal,
  TerraformStack,
  TerraformVariable,
  Testing,
} from "cdktf";
import { workspace } from "../../../../src";
import type { Json } from "../synthesized";

const { products } = workspace;
let outdir: string;

beforeEach(() => {
  outdir = mkdtempSync(join(tmpdir(), "trivet-"));
});

afterEach(() => {
  rmSync(outdir, { recursive: true });
});

type Build = (stack: TerraformStack) => void;

const newStack = (product: workspace.Product, build: Build, app = new App({ outdir })) => {
  const stack = new TerraformStack(app, "demo");
  new workspace.WorkspaceProvider(stack, "workspace", { product });
  build(stack);
  return stack;
};

const folder = (): string => join(outdir, "stacks", "demo");
const companion = (): string => join(folder(), "workspace-tags.tf");
const native = (file: string): string => readFileSync(join(folder(), file), "utf8");
const main = (): Json => JSON.parse(native("cdk.tf.json")) as Json;
const synthesize = (product: workspace.Product, build: Build): TerraformStack => {
  const app = new App({ outdir });
  const stack = newStack(product, build, app);
  app.synth();
  return stack;
};

/** Something of all that the platform reads, and something that it does not read. */
const tagged: Build = (stack) => {
  const zone = new workspace.DataParameter(stack, "zone", {
    name: "zone",
    description: 'Say "eu" or\n$${other}: 100%',
    default: "eu-1",
    options: [
      { name: "Europe", value: "eu-1", icon: "/e.png" },
      { name: "America", value: "us-1" },
    ],
  });
  const pool = new workspace.DataParameter(stack, "pool", {
    name: "pool",
    default: `pool-${zone.value}`,
    mutable: true,
    validation: { regex: "^pool-\\w+", error: "A pool" },
  });
  const team = new TerraformVariable(stack, "team", {
    type: "string",
    default: "${core}",
    validation: [{ condition: '${var.team != ""}', errorMessage: 'Which "team"?' }],
  });
  new TerraformVariable(stack, "other", { type: "string", default: "" });
  const label = new TerraformLocal(stack, "label", `team-${team.stringValue}`);
  new TerraformLocal(stack, "rest", "rest");
  new workspace.DataWorkspaceTags(stack, "tags", {
    tags: { cluster: "build", pool: pool.value, team: label.asString },
  });
  new workspace.DataWorkspacePreset(stack, "far", {
    name: "Far",
    prebuilds: { instances: 1, expirationPolicy: { ttl: 3600 } },
  }).set(zone, "us-1");
  const build = new workspace.DataWorkspace(stack, "build");
  new DataResource(stack, "machine", { input: { name: `${build.name} ${zone.value}` } });
};

const header = `# A part of the stack that the platform reads from native syntax alone; the rest is in the JSON.
# Made at synthesis: changes here are lost.
`;

const expected = (prefix: string): Readonly<Record<string, string>> => ({
  "workspace-parameters.tf": `${header}
data "${prefix}_parameter" "pool" {
  default = "pool-\${data.${prefix}_parameter.zone.value}"
  mutable = true
  name = "pool"

  validation {
    error = "A pool"
    regex = "^pool-\\\\w+"
  }
}

data "${prefix}_parameter" "zone" {
  default = "eu-1"
  description = "Say \\"eu\\" or\\n$\${other}: 100%"
  name = "zone"

  option {
    icon = "/e.png"
    name = "Europe"
    value = "eu-1"
  }

  option {
    name = "America"
    value = "us-1"
  }
}
`,
  "workspace-presets.tf": `${header}
data "${prefix}_workspace_preset" "far" {
  name = "Far"
  parameters = {
    "zone" = "us-1"
  }

  prebuilds {
    instances = 1

    expiration_policy {
      ttl = 3600
    }
  }
}
`,
  "workspace-tags.tf": `${header}
variable "team" {
  default = "$\${core}"
  type = string

  validation {
    condition = "\${var.team != ""}"
    error_message = "Which \\"team\\"?"
  }
}

locals {
  label = "team-\${var.team}"
}

data "${prefix}_workspace_tags" "tags" {
  tags = {
    "cluster" = "build"
    "pool" = "\${data.${prefix}_parameter.pool.value}"
    "team" = "\${local.label}"
  }
}
`,
});

describe.each([
  ["trivet", products.trivet, "workspace"],
  ["coder", products.coder, "coder"],
])("a stack for %s", (_, product, prefix) => {
  test("has what the platform reads before it runs Terraform in native syntax alone", () => {
    synthesize(product, tagged);
    const files = readdirSync(folder()).filter((file) => file !== "cdk.tf.json");
    expect(Object.fromEntries(files.map((file) => [file, native(file)]))).toEqual(expected(prefix));
    const { data, locals, variable } = main();
    expect(Object.keys(data as Json)).toEqual([`${prefix}_workspace`]);
    expect(locals).toEqual({ rest: "rest" });
    expect(Object.keys(variable as Json)).toEqual(["other"]);
  });

  test("has them in the JSON when nothing is set", () => {
    const stack = newStack(product, tagged);
    expect(JSON.parse(Testing.synth(stack, true))).toHaveProperty(
      `data.${prefix}_workspace_tags.tags.tags.cluster`,
      "build",
    );
  });

  test("loses the files of an earlier synthesis with their content", () => {
    synthesize(product, tagged);
    synthesize(product, () => undefined);
    expect(readdirSync(folder())).toEqual(["cdk.tf.json"]);
  });

  test("needs no file if all of it is native syntax", () => {
    synthesize(product, tagged);
    process.env["SYNTH_HCL_OUTPUT"] = "true";
    try {
      synthesize(product, tagged);
    } finally {
      delete process.env["SYNTH_HCL_OUTPUT"];
    }
    expect(existsSync(companion())).toBe(false);
    expect(readFileSync(join(folder(), "cdk.tf"), "utf8")).toContain(
      `data "${prefix}_workspace_tags" "tags"`,
    );
  });
});

test("a file that we did not write is neither overwritten nor removed", () => {
  synthesize(products.trivet, () => undefined);
  writeFileSync(companion(), "# mine\n");
  synthesize(products.trivet, () => undefined);
  expect(() => {
    synthesize(products.trivet, tagged);
  }).toThrow(/workspace-tags\.tf was not generated by a synthesis.*Move it out/);
  expect(readFileSync(companion(), "utf8")).toBe("# mine\n");
});

test("Testing.fullSynth writes it as an app does", () => {
  const stack = newStack(products.coder, tagged);
  const there = join(Testing.fullSynth(stack), "stacks", "demo");
  expect(readdirSync(there).sort()).toEqual(["cdk.tf.json", ...Object.keys(expected("coder"))]);
});

test("an override reaches the native file", () => {
  synthesize(products.trivet, (stack) => {
    new workspace.DataWorkspaceTags(stack, "tags").addOverride("tags", { cluster: "other" });
  });
  expect(readFileSync(companion(), "utf8")).toContain('"cluster" = "other"');
});
