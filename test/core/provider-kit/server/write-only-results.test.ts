// A handler that returns a write-only value does not compile. Here it is forced, and Terraform decides.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  implement,
  moveFromJson,
  providerRoutes,
  type ResourceHandlers,
  upgradeFromJson,
} from "../../../../src/core/provider-kit";
import { TerraformProject } from "../../../../src/core/provider-kit/testing";
import { optional, provider, required, resource, t } from "../../../../src/core/schema";

const doc = "x";
const safe = (version: 0 | 1) =>
  resource("shop_safe", {
    doc,
    version,
    attributes: {
      label: required(t.string(), { doc }),
      pin: optional(t.string(), { doc, writeOnly: true }),
    },
    importId: ["{label}"],
  });

type Handlers = ResourceHandlers<ReturnType<typeof safe>, null>;

const usual: Handlers = {
  create: (plan) => Promise.resolve(plan),
  read: (state) => Promise.resolve(state),
  update: (plan) => Promise.resolve(plan),
  delete: () => Promise.resolve(),
};

const routesOf = (version: 0 | 1, handlers: Partial<Handlers>) =>
  providerRoutes({
    declaration: provider("shop", { doc, attributes: {} }),
    configure: () => null,
    resources: [implement(safe(version))<null>({ ...usual, ...handlers })],
  });

// What the compiler refuses.
const leaked = { label: "a", pin: "leaked-pin" } as never;

const given = `resource "shop_safe" "it" {\n  label = "a"\n  pin   = "0"\n}`;
const other = `resource "terraform_data" "it" {}`;

test.each<[string, Partial<Handlers>, before: string | undefined, config: string, error: string]>([
  ["plans", { plan: () => leaked }, undefined, given, "sets pin, which is write-only"],
  ["creates", { create: () => Promise.resolve(leaked) }, undefined, given, "differs from its plan"],
  ["reads", { read: () => Promise.resolve(leaked) }, given, given, "during refresh"],
  [
    "imports",
    { import: () => leaked },
    undefined,
    `import {\n  to = shop_safe.it\n  id = "a"\n}\n${given}`,
    "Import returned a non-null value",
  ],
  [
    "moves",
    { moves: [moveFromJson("terraform_data", () => leaked)] },
    other,
    `${given}\nmoved {\n  from = terraform_data.it\n  to   = shop_safe.it\n}`,
    "during an across type move",
  ],
  [
    "upgrades",
    { upgrades: [upgradeFromJson(0, () => leaked)] },
    given,
    given,
    "Invalid resource state upgrade",
  ],
])(
  "a write-only value that a handler %s is refused",
  async (_verb, wrong, before, config, error) => {
    let routes = routesOf(0, {});
    const project = await TerraformProject.open({
      source: "example.test/tools/shop",
      routes: (host) => (typeof routes === "function" ? routes(host) : routes),
    });
    try {
      if (before !== undefined) {
        await project.write(before);
        await project.apply();
      }
      routes = routesOf("upgrades" in wrong ? 1 : 0, wrong);
      await project.write(config);
      await expect(project.apply()).rejects.toThrow(error);
      const state = await readFile(join(project.folder, "terraform.tfstate"), "utf8").catch(
        () => "",
      );
      expect(state).not.toContain("leaked-pin");
    } finally {
      await project.close();
    }
  },
);
