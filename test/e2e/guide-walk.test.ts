import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expectShown, shown } from "../docs/output";
import { until } from "../until";
import { app, filesOf, filesOfKind, guideProject, stacksOf } from "./support/guide-project";
import { LanguageClient } from "./support/language-client";

const main = app(["WatchStack", "watch-stack", "watch"]);

/** Of TypeScript. */
const settings = {
  compilerOptions: {
    target: "es2022",
    module: "node16",
    outDir: "build",
    sourceMap: true,
    skipLibCheck: true,
    strict: true,
    types: ["node"],
  },
  include: ["*.ts"],
};

test.each([
  ["README.md", shown("README.md", "check"), filesOfKind("ids")],
  [
    "docs/guide/checking-stacks.md",
    shown("docs/guide/checking-stacks.md", "check"),
    filesOfKind("ids"),
  ],
  [
    "docs/guide/adding-to-a-project.md",
    shown("docs/guide/adding-to-a-project.md", "check"),
    filesOf("docs/guide/adding-to-a-project.md"),
  ],
])("`trivet check` prints what %s shows", async (_, text, files) => {
  const { made } = await guideProject({ ...files, "main.ts": main });
  const { code, stdout } = await made.run("check");
  expect(code).toBe(0);
  expectShown(stdout, text);
});

test("`trivet plan` prints what the page on existing resources shows", async () => {
  const path = "docs/guide/existing-resources.md";
  const { "endpoints.ts": endpoints } = filesOf(path);
  const [watchStack = ""] = stacksOf(path);
  const withoutEndpoints = watchStack.replaceAll(/^.*\baddEndpoints\b.*\n/gm, "");
  const { made, service } = await guideProject({
    "main.ts": main,
    "watch-stack.ts": withoutEndpoints,
  });
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
  expectShown(imported.output, shown("docs/guide/existing-resources.md", "wrote"));
  expect(readFileSync(join(made.folder, "endpoints.ts"), "utf8")).toBe(endpoints);
  writeFileSync(join(made.folder, "watch-stack.ts"), watchStack);
  const planned = await made.start("plan", [], env).ended;
  expectShown(planned.stdout, shown("docs/guide/existing-resources.md", "plan"));
});

test("the editor shows what the page on writing says, step by step", async () => {
  const path = "docs/guide/while-you-write.md";
  const { "watch-stack.ts": stack = "", "renamed.ts": renamed } = filesOf(path);
  const { made } = await guideProject({ "main.ts": main, "watch-stack.ts": stack });
  // What is not saved yet is read only by compilers that run in Node.js.
  made.configure({ app: "node node_modules/typescript/bin/tsc && node build/main.js" });
  writeFileSync(join(made.folder, "tsconfig.json"), JSON.stringify(settings));
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
  const fix = async (over: string, title: string): Promise<void> => {
    const found = (await editor.actions(over)).find((each) => each.title === title);
    expect(found).toBeDefined();
    if (found !== undefined) await editor.apply(found);
  };
  await hovers(shown("docs/guide/while-you-write.md", "unchanged"));
  const before = editor.text;

  await editor.type(before.replace(`"HIGH"`, `"HIHG"`));
  await shows(shown("docs/guide/while-you-write.md", "typo"));
  await fix(`severity: "HIHG"`, shown("docs/guide/while-you-write.md", "correction"));
  expect(editor.text).toBe(before);

  await editor.type(before.replace(`endpointId: "edge"`, `endpointId: "border"`));
  await shows(shown("docs/guide/while-you-write.md", "replacement"));
  await hovers(shown("docs/guide/while-you-write.md", "replaced"));

  await editor.type(before.replace(`(this, "edge"`, `(this, "border"`));
  await shows(shown("docs/guide/while-you-write.md", "rename"));
  await fix("new ids.Endpoint", shown("docs/guide/while-you-write.md", "keeping"));
  expect(editor.text).toBe(renamed);
  await editor.until((shown) => shown === "");
  await hovers(shown("docs/guide/while-you-write.md", "moved"));
  expect(await editor.close()).toBe(0);
});
