import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { provider as idsProvider } from "../../src/core/ids/provider-definition";
import { isObject, type Properties } from "../../src/core/json/plain-json";
import { providerRoutes } from "../../src/core/provider-kit/server/calls/routes";
import { TerraformProject } from "../../src/core/provider-kit/testing";
import { provider as signingProvider } from "../../src/core/signing/provider-definition";
import { provider as workspaceProvider } from "../../src/core/workspace/provider-definition";

const tests = join(__dirname, "..");
const source = (name: string) => `trivet.local/trivet/${name}`;

/** The blocks of a stack. */
const sections = ["data", "locals", "output", "provider", "resource", "terraform", "variable"];
const ownType = /^(?:ids|signing|workspace)_/;

/**
 * The stacks of all snapshots that use only our providers and no modules, which only a registry has, and resources of
 * which nothing else is kept.
 */
const stacks = readdirSync(tests, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".snap"))
  .flatMap((file) => {
    const exports: Record<string, string> = {};
    runInNewContext(readFileSync(join(tests, file), "utf8"), { exports });
    return Object.entries(exports).flatMap(([name, text]) => {
      const stack = stackIn(text);
      return stack === undefined ? [] : [[`${file}: ${name}`, stack] as const];
    });
  });

function stackIn(text: string): Properties | undefined {
  const [, first = ""] = /^\n\{\n {2}"([^"]+)": /.exec(text) ?? [];
  const isResources = ownType.test(first);
  if (!isResources && !sections.includes(first)) return undefined;
  const found = JSON.parse(asJson(text)) as Properties;
  if (isResources) return { resource: found };
  const { terraform, ...rest } = found;
  const required = isObject(terraform) ? terraform["required_providers"] : {};
  const isOwn = Object.keys(isObject(required) ? required : {}).every((name) =>
    ownType.test(`${name}_`),
  );
  return isOwn && rest["module"] === undefined ? rest : undefined;
}

/** A snapshot has a comma after each value, and does not escape what is in its strings. */
function asJson(text: string): string {
  return text
    .replaceAll(
      /^( *(?:"[^"\n]+": )?)"(?![^"\n]+": [^"])([^]*?)"(?=,?\n *["}\]])/gm,
      (_, key: string, content: string) => `${key}${JSON.stringify(content)}`,
    )
    .replaceAll(/,(?=\n *[}\]])/g, "");
}

let project: TerraformProject;

beforeAll(async () => {
  const env = { PATH: process.env["PATH"] };
  project = await TerraformProject.open({
    source: source("ids"),
    routes: providerRoutes(idsProvider, env),
    otherProviders: [
      { source: source("signing"), routes: providerRoutes(signingProvider, env) },
      { source: source("workspace"), routes: providerRoutes(workspaceProvider, env) },
    ],
  });
});

afterAll(() => project.close());

it("finds the snapshots of stacks", () => {
  expect(stacks.length).toBeGreaterThan(10);
});

test.each(stacks)("%s is a valid stack", async (_, stack) => {
  await project.write(stack);
  const found = await project.validate();
  expect(found.filter(({ severity }) => severity === "error")).toEqual([]);
});
