import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  App,
  CloudBackend,
  LocalBackend,
  NamedCloudWorkspace,
  S3Backend,
  TerraformStack,
} from "cdktf";
import { ids, workspace } from "../../../../src";

const { products } = workspace;
let outdir: string;

beforeEach(() => {
  outdir = mkdtempSync(join(tmpdir(), "trivet-"));
});

afterEach(() => {
  rmSync(outdir, { recursive: true });
});

/** Synthesizes a stack as an application does, and returns it with what its JSON says about Terraform. */
function synthesize(product: workspace.Product, build: (stack: TerraformStack) => void) {
  const app = new App({ outdir });
  const stack = new TerraformStack(app, "demo");
  new workspace.WorkspaceProvider(stack, "workspace", { product });
  build(stack);
  app.synth();
  const main = readFileSync(join(outdir, "stacks", "demo", "cdk.tf.json"), "utf8");
  const { terraform } = JSON.parse(main) as { readonly terraform: unknown };
  const { metadata } = stack.node.findChild("workspace").node;
  return { terraform, warnings: metadata.filter(({ type }) => type.endsWith("warn")) };
}

describe.each(Object.values(products))("a template for $name", (product) => {
  test("keeps its state in the file that the platform reads", () => {
    const { terraform, warnings } = synthesize(product, () => undefined);
    expect(terraform).toMatchObject({ backend: { local: { path: "terraform.tfstate" } } });
    expect(warnings).toEqual([]);
  });

  test("is not asked to keep it where a stack inside it does", () => {
    const { terraform, warnings } = synthesize(product, (stack) => {
      new S3Backend(new TerraformStack(stack, "inner"), { bucket: "b", key: "k" });
    });
    expect(terraform).toMatchObject({ backend: { local: { path: "terraform.tfstate" } } });
    expect(warnings).toEqual([]);
  });

  test("may say so itself", () => {
    const { terraform, warnings } = synthesize(product, (stack) => {
      new LocalBackend(stack, { path: "./terraform.tfstate" });
    });
    expect(terraform).toMatchObject({ backend: { local: { path: "./terraform.tfstate" } } });
    expect(warnings).toEqual([]);
  });
});

describe.each([
  [
    "local, with another path",
    (stack: TerraformStack) => new LocalBackend(stack, { path: "/srv/demo.tfstate" }),
    /the backend demo\/backend \(local, "\/srv\/demo\.tfstate"\)/,
  ],
  [
    "s3",
    (stack: TerraformStack) => new S3Backend(stack, { bucket: "b", key: "k" }),
    /the backend demo\/backend \(s3\)/,
  ],
  [
    "cloud",
    (stack: TerraformStack) =>
      new CloudBackend(stack, { organization: "o", workspaces: new NamedCloudWorkspace("w") }),
    /the backend demo\/backend \(cloud\)/,
  ],
])("a template with the backend %s", (_, build, message) => {
  test("is refused for coder", () => {
    const attempt = () => synthesize(products.coder, build);
    expect(attempt).toThrow(message);
    expect(attempt).toThrow(
      /reads the state from terraform\.tfstate.*Remove demo\/backend, or use/,
    );
  });

  test("gets a warning for our own platform, because a stack can be deployed without one", () => {
    expect(synthesize(products.trivet, build).warnings).toHaveLength(1);
  });
});

test("a stack that is no template has the default of cdktf", () => {
  const app = new App({ outdir });
  const stack = new TerraformStack(app, "other");
  new ids.IdsProvider(stack, "ids", { project: "p" });
  app.synth();
  const main = readFileSync(join(outdir, "stacks", "other", "cdk.tf.json"), "utf8");
  expect(main).toContain("terraform.other.tfstate");
});
