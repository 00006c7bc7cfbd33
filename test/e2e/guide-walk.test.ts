import { cpSync, mkdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../until";
import { root } from "./support/build";
import { LanguageClient } from "./support/language-client";
import { scenario } from "./support/scenario";
import { StackProject } from "./support/stack-project";

const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** The contents of a page's fences with an opening line. */
function fences(opening: string, path = "docs/guide/while-you-write.md"): readonly string[] {
  const parts = read(path).split(`\n\`\`\`${opening}\n`).slice(1);
  return parts.map((part) => part.slice(0, part.indexOf("\n```")));
}

const [stack = ""] = fences("ts stack file=watch-stack");
const [renamed = ""] = fences("ts stack file=renamed");
const [typo = "", replacement = "", rename = ""] = fences("text shown");
const [unchanged = "", replaced = "", moved = ""] = fences("text hover");
const [correction, keeping] = fences("text fix");

const main = `import { App } from "cdktf";
import { WatchStack } from "./watch-stack";
const app = new App();
new WatchStack(app, "watch");
app.synth();
`;

async function newProject() {
  const { service, workspace } = await scenario("terraform", { service: { pollsUntilDone: 0 } });
  return { service, made: new StackProject(service, workspace) };
}

/** A TypeScript project with a stack, whose packages are those of this checkout. */
async function project(watchStack = `${stack}\n`, given?: StackProject): Promise<StackProject> {
  const made = given ?? (await newProject()).made;
  const packages = join(made.folder, "node_modules");
  unlinkSync(packages);
  for (const scope of ["@types", "@trivet"]) mkdirSync(join(packages, scope), { recursive: true });
  for (const name of ["cdktf", "constructs", "typescript", "@types/node"]) {
    symlinkSync(join(root, "node_modules", name), join(packages, name));
  }
  symlinkSync(root, join(packages, "@trivet", "constructs"));
  made.configure({ app: "node node_modules/typescript/bin/tsc && node build/main.js" });
  const compilerOptions = {
    target: "es2022",
    module: "node16",
    outDir: "build",
    sourceMap: true,
    skipLibCheck: true,
    strict: true,
    types: ["node"],
  };
  const settings = JSON.stringify({ compilerOptions, include: ["*.ts"] });
  writeFileSync(join(made.folder, "tsconfig.json"), settings);
  writeFileSync(join(made.folder, "main.ts"), main);
  writeFileSync(join(made.folder, "watch-stack.ts"), watchStack);
  return made;
}

/** The form of an output as a page shows it: `…` is what it leaves out, and an empty line may be anywhere. */
function shownAs(text: string): RegExp {
  const lines = text.split("\n").filter((line) => line !== "");
  const escaped = lines.map((line) => line.trimEnd().replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  return new RegExp(escaped.join("\n+").replaceAll("…", "[^]*"));
}

test.each([
  ["README.md", "templates/init/ids/watch-stack.ts"],
  ["docs/guide/checking-stacks.md", "templates/init/ids/watch-stack.ts"],
  ["docs/guide/adding-to-a-project.md", undefined],
])("`trivet check` prints what %s shows", async (path, file) => {
  const [own = ""] = fences("ts stack file=watch-stack", path);
  const made = await project(file === undefined ? `${own}\n` : read(file));
  const shown = fences("text", path).filter((text) => text.includes("compared with nothing"));
  expect(shown).toHaveLength(1);
  const { code, stdout } = await made.run("check");
  expect(code).toBe(0);
  for (const text of shown) expect(stdout).toMatch(shownAs(text));
});

test("`trivet plan` prints what the page on existing resources shows", async () => {
  const path = "docs/guide/existing-resources.md";
  const [watchStack = ""] = fences("ts stack", path);
  const [endpoints = ""] = fences("ts file=endpoints", path);
  const [wrote = "", plan = ""] = fences("text", path);
  const { service, made: empty } = await newProject();
  const withoutEndpoints = watchStack.replaceAll(/^.*\baddEndpoints\b.*\n/gm, "");
  const made = await project(withoutEndpoints, empty);
  const env = { GOOGLE_CLOUD_IDS_CUSTOM_ENDPOINT: service.url };
  for (const [id, zone, others] of [
    ["edge", "us-central1-f", { severity: "HIGH" }],
    [
      "office",
      "us-east1-b",
      { severity: "LOW", threatExceptions: ["1234", "5678"], trafficLogs: true },
    ],
  ] as const) {
    const network = `projects/my-project/global/networks/${id}`;
    const parent = `projects/my-project/locations/${zone}/endpoints`;
    await service.call("POST", `${parent}?endpointId=${id}`, { network, ...others });
  }
  const imported = await made.start("import", ["ids_endpoint", "--out", "endpoints.ts"], env).ended;
  expect(imported.output).toContain(wrote.trim());
  expect(readFileSync(join(made.folder, "endpoints.ts"), "utf8")).toBe(`${endpoints}\n`);
  writeFileSync(join(made.folder, "watch-stack.ts"), watchStack);
  const planned = await made.start("plan", [], env).ended;
  expect(planned.stdout).toMatch(shownAs(plan));
});

test("the editor shows what the page on writing says, step by step", async () => {
  const made = await project();
  expect(await made.run("check")).toMatchObject({ code: 0 });
  cpSync(join(made.folder, "cdktf.out"), join(made.folder, "before"), { recursive: true });
  const editor = await LanguageClient.open(made, "watch-stack.ts", () => true, {
    args: ["--against", "before"],
  });
  const hover = (): Promise<string | undefined> => editor.hover(`endpointId: "`);
  const hovers = (text: string): Promise<void> =>
    until(async () => (await hover())?.includes(text) === true);
  const shows = async (text: string): Promise<void> => {
    await editor.until((shown) => shown.includes(text));
    expect(editor.shown).toHaveLength(1);
  };
  const fix = async (over: string, title: string | undefined): Promise<void> => {
    const found = (await editor.actions(over)).find((each) => each.title === title);
    expect(found).toBeDefined();
    if (found !== undefined) await editor.apply(found);
  };
  await hovers(unchanged);
  const before = editor.text;

  await editor.type(before.replace(`"HIGH"`, `"HIHG"`));
  await shows(typo);
  await fix(`severity: "HIHG"`, correction);
  expect(editor.text).toBe(before);

  await editor.type(before.replace(`endpointId: "edge"`, `endpointId: "border"`));
  await shows(replacement);
  await hovers(replaced);

  await editor.type(before.replace(`(this, "edge"`, `(this, "border"`));
  await shows(rename);
  await fix("new ids.Endpoint", keeping);
  expect(editor.text).toBe(`${renamed}\n`);
  await editor.until((shown) => shown === "");
  await hovers(moved);
  expect(await editor.close()).toBe(0);
});
