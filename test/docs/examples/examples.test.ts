import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tools } from "../../e2e/support/tool";
import type { Workspace } from "../../e2e/support/workspace";
import { providerNames } from "../../provider-names";
import { root } from "../page";
import { type Example, examples, hclOf, pagesOf, synthesized } from "./example";
import { planned } from "./plan";
import { exampleWorkspace } from "./services";

test.each(providerNames)("every page of %s has an example, and every example its page", (name) => {
  const own = examples.filter(({ provider }) => provider === name).map(({ page }) => page);
  expect(own).toEqual(pagesOf(name));
});

/** The `import` block of a page. */
function importBlock({ provider, page }: Example): string | undefined {
  const text = readFileSync(join(root, "docs/reference", provider, `${page}.md`), "utf8");
  return /^import \{\n[^]*?^\}$/m.exec(text)?.[0];
}

const imported = examples.filter((example) => importBlock(example) !== undefined);

/** Deploys an example, and forgets the resource that an `import` block names. */
async function forgotten(workspace: Workspace, example: Example, block: string): Promise<string> {
  workspace.write(hclOf(example));
  await workspace.apply();
  const [, address = ""] = /to = (\S+)/.exec(block) ?? [];
  const values = (await workspace.state()).get(address)?.values ?? {};
  await workspace.run("state", "rm", address);
  return block.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

describe.each(tools)("under %s", (tool) => {
  it.each(examples.map((example) => [`${example.provider}/${example.page}`, example] as const))(
    "the example of %s is deployed, and says the same in TypeScript",
    async (_, example) => {
      const workspace = await exampleWorkspace(example.provider, tool);
      const hcl = await planned(workspace, "main.tf", hclOf(example), "hcl");
      const json = await synthesized(example);
      const typescript = await planned(workspace, "main.tf.json", json, "typescript");
      expect(typescript).toEqual(hcl);
      await workspace.apply("hcl");
      expect(await workspace.plansChanges()).toBe(false);
    },
  );

  it.each(imported.map((example) => [`${example.provider}/${example.page}`, example] as const))(
    "the `import` block of %s imports the resource of the example",
    async (_, example) => {
      const workspace = await exampleWorkspace(example.provider, tool);
      const block = await forgotten(workspace, example, importBlock(example) ?? "");
      workspace.write(block, "import.tf");
      expect((await workspace.apply()).output).toMatch(
        /1 imported, 0 added, \d changed, 0 destroy/,
      );
      expect(await workspace.plansChanges()).toBe(false);
    },
  );
});
