import { existsSync } from "node:fs";
import { join } from "node:path";
import { Testing, type TerraformStack } from "cdktf";
import { Construct } from "constructs";
import { ids, signing, workspace } from "../../src";
import { load } from "./load";
import { type Page, root } from "./page";
import { hovering } from "../hovering";
import { typeErrors } from "./type-check";

const slices = { ids, workspace, signing };
const classes = Object.entries(slices).flatMap(([slice, exported]) =>
  Object.entries(exported).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "function" && value.prototype instanceof Construct ? [`${slice}.${name}`] : [],
  ),
);

/** In an order in which each example can use the constructs of those before it. */
const mainClasses = [
  "ids.IdsProvider",
  "ids.Endpoint",
  "workspace.WorkspaceProvider",
  "workspace.DataWorkspace",
  "workspace.DataParameter",
  "workspace.Agent",
  "workspace.App",
  "workspace.Script",
  "signing.SigningProvider",
  "signing.Copy",
  "signing.Sign",
  "signing.Attest",
  "signing.DataVerify",
];

type Enumeration = Readonly<Record<string, string>>;

/** Properties whose values are words of an enumeration, with one of the classes that have them. */
const enumerations: Readonly<Record<string, Readonly<Record<string, Enumeration>>>> = {
  "ids.Endpoint": { severity: ids.EndpointSeverity },
  "signing.SigningProvider": {
    defaultAttestationEntryType: signing.AttestationEntryType,
    defaultSignatureFormat: signing.SignatureFormat,
  },
  "signing.Sign": { conflict: signing.Conflict, signatureFormat: signing.SignatureFormat },
  "signing.Attest": { conflict: signing.Conflict },
  "workspace.Agent": {
    os: workspace.OperatingSystem,
    arch: workspace.Architecture,
    auth: workspace.AgentAuth,
    apiKeyScope: workspace.ApiKeyScope,
    startupScriptBehavior: workspace.StartupScriptBehavior,
  },
  "workspace.App": { openIn: workspace.AppOpenIn, share: workspace.AppShare },
  "workspace.Env": { mergeStrategy: workspace.MergeStrategy },
  "workspace.DataParameter": {
    type: workspace.ParameterType,
    formType: workspace.ParameterFormType,
  },
};

const words = Object.entries(enumerations).flatMap(([name, props]) =>
  Object.entries(props).map(([prop, values]) => [name, prop, Object.values(values)] as const),
);

const program = `import { ids, signing, workspace } from "@trivet/constructs";
import type { Construct } from "constructs";
declare const scope: Construct;
${classes.map((name) => `new ${name}(scope, "one", {} as never);`).join("\n")}
${words.map(([name, prop], at) => `const p${at}: ConstructorParameters<typeof ${name}>[2] = { ${prop}: "" };`).join("\n")}
`;

const hover = hovering(join(root, "test", "docs", "hovered.ts"), program);
const hoverOfClass = (name: string) =>
  hover(program.indexOf(`new ${name}(`) + `new ${name}(`.length - 2);

describe("an editor shows", () => {
  test.each(classes)("what %s is at `new %s(`", (name) => {
    expect(hoverOfClass(name).text).toMatch(/^[A-Z].{20,}/);
  });

  test.each(mainClasses)("an example of %s, and the guide", (name) => {
    const { text, examples } = hoverOfClass(name);
    const [, guide = ""] = /`(docs\/guide\/[\w-]+\.md)`/.exec(text) ?? [];
    expect(existsSync(join(root, guide)) && guide !== "").toBe(true);
    expect(examples).toEqual([expect.stringContaining(`new ${name}(`)]);
  });

  test.each(words)("for a property of %s, %s, what each word means", (name, prop, values) => {
    const at = words.findIndex(([each, other]) => each === name && other === prop);
    const { text } = hover(program.indexOf(`const p${at}:`) + lineOf(at).indexOf(`{ ${prop}`) + 3);
    const explained = values.filter((word) => !text.includes(`- \`${word}\``));
    expect(explained).toEqual([]);
  });
});

const lineOf = (at: number): string =>
  program.split("\n").find((line) => line.startsWith(`const p${at}:`)) ?? "";

test("the examples of the classes compile, and are accepted together", () => {
  const cwd = process.cwd();
  process.chdir(join(__dirname, "files"));
  const read = Object.keys(slices).map((slice) => {
    const examples = mainClasses
      .filter((name) => name.startsWith(`${slice}.`))
      .flatMap((name) => hoverOfClass(name).examples);
    const code = examples.map((text) => text.replaceAll(/^```(ts)?$/gm, "")).join("\n");
    const snippet = { kind: "body", name: slice, line: 1, code, expectedText: "" } as const;
    const page: Page = {
      path: `src/${slice}`,
      snippets: [snippet],
      commands: [],
      hcl: [],
      links: [],
    };
    return { page, snippet };
  });
  // All in one program: most of the time is for reading the libraries.
  expect(typeErrors(read.map(({ page }) => page))).toEqual([]);
  for (const { page, snippet } of read) {
    const { Stack } = load(page, snippet) as {
      Stack: new (scope: Construct, id: string) => TerraformStack;
    };
    expect(() => Testing.synth(new Stack(Testing.app(), "Demo"), true)).not.toThrow();
  }
  process.chdir(cwd);
});
