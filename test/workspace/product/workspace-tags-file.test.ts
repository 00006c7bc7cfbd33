import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, TerraformStack, TerraformVariable, Testing, Token } from "cdktf";
import { workspace } from "../../../src";
import { warnings, type Json } from "../synthesized";

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
const data = (): Json => {
  const main = JSON.parse(readFileSync(join(folder(), "cdk.tf.json"), "utf8")) as Json;
  return (main["data"] ?? {}) as Json;
};
const synthesize = (product: workspace.Product, build: Build): TerraformStack => {
  const app = new App({ outdir });
  const stack = newStack(product, build, app);
  app.synth();
  return stack;
};

/** Typical tags, with a parameter that depends on another one, and one that is not used. */
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
  new workspace.DataParameter(stack, "size", { name: "size", default: "small" });
  const team = new TerraformVariable(stack, "team", { type: "string", default: "core" });
  new workspace.DataWorkspaceTags(stack, "tags", {
    tags: { cluster: "build", pool: pool.value, team: `team-${team.stringValue}` },
  });
};

const expected = (prefix: string): string =>
  `# A part of the stack that the platform reads from native syntax alone; the rest is in the JSON.
# Made at synthesis: changes here are lost.

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

data "${prefix}_workspace_tags" "tags" {
  tags = {
    "cluster" = "build"
    "pool" = "\${data.${prefix}_parameter.pool.value}"
    "team" = "team-\${var.team}"
  }
}
`;

describe.each([
  ["trivet", products.trivet, "workspace"],
  ["coder", products.coder, "coder"],
])("a stack for %s", (_, product, prefix) => {
  test("has its tags, with the parameters that they need, in native syntax alone", () => {
    synthesize(product, tagged);
    expect(readFileSync(companion(), "utf8")).toBe(expected(prefix));
    const rest = data();
    expect(Object.keys(rest)).toEqual([`${prefix}_parameter`]);
    expect(Object.keys(rest[`${prefix}_parameter`] as Json)).toEqual(["size"]);
  });

  test("has them in the JSON when nothing is set", () => {
    const stack = newStack(product, tagged);
    expect(JSON.parse(Testing.synth(stack, true))).toHaveProperty(
      `data.${prefix}_workspace_tags.tags.tags.cluster`,
      "build",
    );
  });

  test("loses the file of an earlier synthesis with its tags", () => {
    synthesize(product, tagged);
    synthesize(product, () => undefined);
    expect(readdirSync(folder())).toEqual(["cdk.tf.json"]);
  });

  test("needs no file when all of it is native syntax", () => {
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
  }).toThrow(/workspace-tags\.tf was not made by a synthesis.*move it out/);
  expect(readFileSync(companion(), "utf8")).toBe("# mine\n");
});

test("Testing.fullSynth writes it as an app does", () => {
  const stack = newStack(products.coder, tagged);
  const there = join(Testing.fullSynth(stack), "stacks", "demo");
  expect(readdirSync(there).sort()).toEqual(["cdk.tf.json", "workspace-tags.tf"]);
});

test("overrides reach it", () => {
  synthesize(products.trivet, (stack) => {
    new workspace.DataWorkspaceTags(stack, "tags").addOverride("tags", { cluster: "other" });
  });
  expect(readFileSync(companion(), "utf8")).toContain('"cluster" = "other"');
});

describe("a tag that the platform cannot read at import", () => {
  const wrong: Build = (stack) => {
    const owner = new workspace.DataWorkspaceOwner(stack, "me");
    const cores = new workspace.DataParameter(stack, "cores", {
      name: "cores",
      type: "number",
      default: 2,
    });
    new workspace.DataWorkspaceTags(stack, "tags", {
      tags: { ok: "$${text}", owner: `of-${owner.name}`, cores: Token.asString(cores.asNumber) },
    });
  };

  test("is an error for coder", () => {
    expect(() => {
      synthesize(products.coder, wrong);
    }).toThrow(
      /tags\.owner: must contain only .*data\.coder_workspace_owner\.me\.name.*\n.*tags\.cores: .*tonumber/,
    );
  });

  test("is a warning for our own", () => {
    const { node } = synthesize(products.trivet, wrong);
    expect(warnings(node.findChild("tags") as never)).toHaveLength(2);
  });

  test("may be the whole map", () => {
    expect(() => {
      synthesize(products.coder, (stack) => {
        const all = new TerraformVariable(stack, "all", { type: "map(string)" });
        const tags = Token.asStringMap(all.value);
        new workspace.DataWorkspaceTags(stack, "tags", { tags });
      });
    }).toThrow(/tags: must contain only/);
  });
});
