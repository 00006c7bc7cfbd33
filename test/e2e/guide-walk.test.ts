import { cpSync, mkdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../until";
import { root } from "./support/build";
import { LanguageClient } from "./support/language-client";
import { scenario } from "./support/scenario";
import { StackProject } from "./support/stack-project";

const page = readFileSync(join(root, "docs", "guide", "while-you-write.md"), "utf8");

/** The contents of the page's fences with an opening line. */
function fences(opening: string): readonly string[] {
  const parts = page.split(`\n\`\`\`${opening}\n`).slice(1);
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

/** A TypeScript project with the stack of the page, whose packages are those of this checkout. */
async function project(): Promise<StackProject> {
  const { service, workspace } = await scenario("terraform");
  const made = new StackProject(service, workspace);
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
  writeFileSync(join(made.folder, "watch-stack.ts"), `${stack}\n`);
  return made;
}

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
