import {
  DataResource,
  TerraformLocal,
  TerraformStack,
  TerraformVariable,
  Testing,
  Token,
} from "cdktf";
import { workspace } from "../../../../src";

const { products } = workspace;

interface Settings {
  readonly product?: workspace.Product;
  readonly version?: string;
}

/** A stack with a tag. */
function tagged(
  tag: (stack: TerraformStack) => string,
  { product = products.coder, version }: Settings = {},
): TerraformStack {
  const stack = new TerraformStack(Testing.app(), "Demo");
  new workspace.WorkspaceProvider(stack, "workspace", { product, platform: { version } });
  const made = tag(stack);
  new workspace.DataWorkspaceTags(stack, "tags", { tags: { made } });
  return stack;
}

const problems = (stack: TerraformStack): string => {
  try {
    Testing.synth(stack, true);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const warningsAt = (stack: TerraformStack, id: string): unknown[] =>
  stack.node
    .findChild(id)
    .node.metadata.filter(({ type }) => type.endsWith("warn"))
    .map(({ data }): unknown => data);

const parameter = (stack: TerraformStack, more: Partial<workspace.DataParameterProps> = {}) =>
  new workspace.DataParameter(stack, "size", { name: "size", default: "s", ...more });

const known: readonly (readonly [string, (stack: TerraformStack) => string])[] = [
  ["a literal", () => "$${text}"],
  ["a variable", (stack) => `of-${new TerraformVariable(stack, "team", {}).stringValue}`],
  ["a parameter", (stack) => parameter(stack).value],
  [
    "a number",
    (stack) => {
      const type = workspace.ParameterType.NUMBER;
      const cores = new workspace.DataParameter(stack, "n", { name: "n", type, default: 2 });
      return Token.asString(cores.asNumber);
    },
  ],
  ["the owner called me", (stack) => new workspace.DataWorkspaceOwner(stack, "me").name],
  [
    "a local",
    (stack) => {
      const me = new workspace.DataWorkspaceOwner(stack, "me");
      return new TerraformLocal(stack, "who", `${me.email} ${parameter(stack).value}`).asString;
    },
  ],
];

const unknown: readonly (readonly [string, (stack: TerraformStack) => string, string])[] = [
  [
    "a resource",
    (stack) => new DataResource(stack, "machine").id,
    "(got terraform_data.machine): use literals",
  ],
  [
    "another data source of the platform",
    (stack) => new workspace.DataWorkspace(stack, "build").name,
    "(got data.coder_workspace.build): use literals",
  ],
  [
    "an owner with another name",
    (stack) => new workspace.DataWorkspaceOwner(stack, "owner").name,
    '(got data.coder_workspace_owner.owner): the platform only knows an owner with the construct ID "me"',
  ],
  [
    "a secret of the owner",
    (stack) => new workspace.DataWorkspaceOwner(stack, "me").sessionToken,
    "(got data.coder_workspace_owner.me.session_token): the platform does not give",
  ],
  [
    "a local with something else",
    (stack) => {
      const inner = new TerraformLocal(stack, "inner", new DataResource(stack, "machine").id);
      return new TerraformLocal(stack, "outer", `x-${inner.asString}`).asString;
    },
    "(got terraform_data.machine)",
  ],
  [
    "a local with a secret",
    (stack) =>
      new TerraformLocal(stack, "who", new workspace.DataWorkspaceOwner(stack, "me").sessionToken)
        .asString,
    "(got data.coder_workspace_owner.me.session_token)",
  ],
];

describe("a tag", () => {
  test.each(known)("may contain %s", (_, tag) => {
    const stack = tagged(tag);
    expect(problems(stack)).toBe("");
    expect(warningsAt(stack, "tags")).toEqual([]);
  });

  test.each(unknown)("must not contain %s", (_, tag, message) => {
    const all = problems(tagged(tag));
    expect(all).toContain("tags.made: must contain only what the platform knows");
    expect(all).toContain("otherwise, the platform refuses the template");
    expect(all).toContain(message);
  });

  test("with something that the platform does not know is a warning for our own product", () => {
    const stack = tagged(unknown[0]?.[1] ?? (() => ""), { product: products.trivet });
    expect(problems(stack)).toBe("");
    expect(warningsAt(stack, "tags")).toHaveLength(1);
  });

  test("must not come from a map, because the platform requires an object", () => {
    const stack = tagged(() => "x");
    const all = new TerraformVariable(stack, "all", { type: "map(string)" });
    new workspace.DataWorkspaceTags(stack, "more", { tags: Token.asStringMap(all.value) });
    expect(problems(stack)).toMatch(
      /more: 1 problem\n.*tags: must be an object .*"\$\{var\.all\}"/,
    );
  });
});

describe("a platform before 2.24", () => {
  const old = { version: "2.23.1" };

  test("reads tags with a variable or a parameter", () => {
    expect(problems(tagged(known[1]?.[1] ?? (() => ""), old))).toBe("");
    expect(problems(tagged(known[2]?.[1] ?? (() => ""), old))).toBe("");
  });

  test.each(known.slice(3))("refuses tags with %s", (_, tag) => {
    expect(problems(tagged(tag, old))).toMatch(
      /tags\.made: must contain only literals, variables and values of parameters for version 2\.23\.1 .* needs version 2\.24/,
    );
  });

  test("is a warning for our own product", () => {
    const stack = tagged(known[3]?.[1] ?? (() => ""), { ...old, product: products.trivet });
    expect(problems(stack)).toBe("");
    expect(warningsAt(stack, "tags")).toHaveLength(1);
  });

  test("leaves parameters to Terraform", () => {
    const stack = tagged(() => "x", old);
    parameter(stack, { description: new workspace.DataWorkspace(stack, "build").name });
    expect(problems(stack)).toBe("");
    expect(warningsAt(stack, "size")).toEqual([]);
  });
});

describe("a parameter", () => {
  const stack = () => tagged(() => "x");
  const build = (at: TerraformStack): string => new workspace.DataWorkspace(at, "build").name;

  test("must have a name that the platform knows", () => {
    const at = stack();
    parameter(at, { name: `of ${build(at)}` });
    expect(problems(at)).toMatch(/size: 1 problem\n.*name: must contain only what the platform/);
  });

  test("must have options that the platform knows", () => {
    const at = stack();
    parameter(at, {
      options: [
        { name: "S", value: "s" },
        { name: "B", value: build(at) },
      ],
    });
    expect(problems(at)).toMatch(/options\[1\]\.value: must contain only/);
  });

  test("may contain anything else, which users do not see", () => {
    const at = stack();
    parameter(at, { default: build(at), description: "text" });
    expect(problems(at)).toBe("");
    expect(warningsAt(at, "size")).toEqual([
      expect.stringContaining("default: must contain only what the platform knows before it runs"),
    ]);
    expect(warningsAt(at, "size")[0]).toContain(
      "otherwise, the platform does not show the value to users",
    );
  });
});

test("a preset must have a name that the platform knows", () => {
  const at = tagged(() => "x");
  const name = new workspace.DataWorkspace(at, "build").name;
  new workspace.DataWorkspacePreset(at, "preset", { name });
  expect(problems(at)).toMatch(/preset: 1 problem\n.*name: must contain only what the platform/);
});
