import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ProjectFixture } from "./project-fixture";

describe("trivet-provider new", () => {
  const trivet = new ProjectFixture("provider", "provider-main");
  const create = (...args: readonly string[]) => trivet.run(["new", ...args, "--package", "0.1.0"]);

  it("writes a project into a new folder, and says what comes next", async () => {
    const { code, stdout } = await create("shop", "deep/provider");
    expect(code).toBe(0);
    expect(stdout).toContain("  src/declaration.ts\n");
    expect(stdout).toContain("  cd deep/provider\n  npm install\n  npm test\n");
    expect(trivet.read("deep/provider/src/declaration.ts")).toContain('resource("shop_note"');
    expect(trivet.read("deep/provider/src/source.ts")).toContain('"example.com/acme/shop"');
    expect(trivet.read("deep/provider/.gitignore")).toContain("node_modules/\n");
    for (const path of trivet.files("deep/provider").filter((each) => /\.\w+$/.test(each))) {
      expect(trivet.read("deep/provider", path)).not.toContain("{{");
    }
  });

  it("depends on exact versions, those that this package is tested with", async () => {
    await create("shop", "exact");
    const { devDependencies: tested } = JSON.parse(trivet.read("package.json")) as {
      devDependencies: Record<string, string>;
    };
    const { dependencies, devDependencies } = JSON.parse(trivet.read("exact/package.json")) as {
      dependencies: Record<string, string>;
      devDependencies: Record<string, string>;
    };
    expect(dependencies).toEqual({ "@trivet/provider-kit": "0.1.0" });
    expect(Object.keys(devDependencies)).toEqual(expect.arrayContaining(["esbuild", "jest"]));
    for (const [name, version] of Object.entries(devDependencies)) {
      expect([name, version]).toEqual([name, tested[name]]);
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    }
  });

  it("uses another source address everywhere", async () => {
    expect((await create("shop", "source", "--source", "acme-labs/shop")).code).toBe(0);
    const source = "registry.terraform.io/acme-labs/shop";
    for (const path of ["package.json", "src/source.ts", "examples/main.tf", "README.md"]) {
      expect(trivet.read("source", path)).toContain(source);
      expect(trivet.read("source", path)).not.toContain("example.com");
    }
  });

  it("prints what it wrote as JSON", async () => {
    const { stdout } = await create("shop", "json", "--json");
    expect(JSON.parse(stdout)).toEqual({
      folder: join(trivet.root, "json"),
      name: "shop",
      source: "example.com/acme/shop",
      package: "0.1.0",
      files: expect.arrayContaining(["package.json", "src/main.ts"]) as string[],
    });
    const { files } = JSON.parse(stdout) as { files: string[] };
    expect(trivet.files("json")).toEqual(expect.arrayContaining(files));
  });

  it("overwrites nothing, and names the files", async () => {
    mkdirSync(join(trivet.root, "used", "src"), { recursive: true });
    writeFileSync(join(trivet.root, "used", "src", "main.ts"), "mine");
    const { code, stderr } = await create("shop", "used");
    expect(code).toBe(1);
    expect(stderr).toContain(
      `${join(trivet.root, "used")} already has a file of the project: src/main.ts.`,
    );
    expect(trivet.files("used")).toEqual(["src", "src/main.ts"]);
    expect(trivet.read("used/src/main.ts")).toBe("mine");
  });

  it.each([
    "Shop",
    "my_shop",
    "1shop",
    "-shop",
    "shop-",
    "my--shop",
    "../shop",
    "",
    "a".repeat(65),
  ])("refuses the name %j", async (name) => {
    const { code, stderr } = await trivet.run(["new", "--", name, "refused"]);
    expect(code).toBe(2);
    expect(stderr).toContain(`The provider's name is ${JSON.stringify(name)}`);
    expect(stderr).toContain("such as notes or acme-notes");
    expect(trivet.files(".")).not.toContain("refused");
  });

  it.each(["terraform", "terraform-provider-shop"])(
    "says what %s is to be called",
    async (name) => {
      const { code, stderr } = await create(name, "reserved");
      expect(code).toBe(2);
      expect(stderr).toContain("Leave out `terraform`");
    },
  );

  it.each([
    ["acme/tools", "write acme/shop"],
    ["Acme", "not a provider's source address"],
    ["acme/web--shop", "no hyphen at an end and no two in a row"],
    ["acme/terraform-shop", "Leave out `terraform`"],
  ])("refuses the source address %s", async (source, message) => {
    const { code, stderr } = await create("shop", "refused", "--source", source);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(trivet.files(".")).not.toContain("refused");
  });

  it("says how to install from a checkout", async () => {
    const { code, stderr } = await trivet.run(["new", "shop", "from-checkout"]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${trivet.root} is a checkout`);
  });
});
