import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isProcessAlive } from "../../src/core/process/process-facts";
import { endlessLoop } from "../endless-loop";
import { until } from "../until";
import { root } from "./support/build";
import { LanguageClient } from "./support/language-client";
import { ProviderProject } from "./support/provider-project";
import { scenario } from "./support/scenario";
import { StackProject } from "./support/stack-project";

const edge = (props = ""): string => `const one = stack("one");
new ids.Endpoint(one, "edge", {
  endpointId: "edge",
  network: "projects/acme/global/networks/main",
  severity: "HIGH",${props}
});`;

async function project(body: string): Promise<StackProject> {
  const { service, workspace } = await scenario("terraform");
  const made = new StackProject(service, workspace);
  made.write(body);
  return made;
}

/** Synthesizes the stacks into `before`, for `--against`. */
async function remember(made: StackProject): Promise<void> {
  expect(await made.run("check")).toMatchObject({ code: 0 });
  cpSync(join(made.folder, "cdktf.out"), join(made.folder, "before"), { recursive: true });
}

const nothing = (shown: string): boolean => shown === "";
const against = { args: ["--against", "before"] };

const editors: LanguageClient[] = [];

async function opened(...args: Parameters<typeof LanguageClient.open>): Promise<LanguageClient> {
  const editor = await LanguageClient.open(...args);
  editors.push(editor);
  return editor;
}

const pageOf = (code: string): string =>
  pathToFileURL(join(root, "docs", "reference", "codes", `${code}.md`)).href;

afterEach(() => {
  for (const { child } of editors.splice(0)) child.kill();
});

describe("`trivet lsp`", () => {
  it("shows a mistake at its property, corrects it, and says what will happen, all without saving", async () => {
    const made = await project(edge().replace(`"HIGH"`, `"HIHG"`));
    const saved = readFileSync(join(made.folder, "main.js"), "utf8");
    const editor = await opened(made, "main.js", (shown) => shown.includes("HIHG"));
    expect(editor.shown).toEqual([
      `18 <severity: "HIHG"> error [INVALID_ARGUMENT]: severity: must be one of "SEVERITY_UNSPECIFIED", "INFORMATIONAL", "LOW", ` +
        `"MEDIUM", "HIGH", "CRITICAL" (got "HIHG"); did you mean "HIGH"?\nNothing is planned.`,
    ]);
    expect(editor.pages).toEqual([pageOf("INVALID_ARGUMENT")]);
    const [fix, ...others] = await editor.actions(`severity: "HIHG"`);
    expect(others).toEqual([]);
    expect(fix).toMatchObject({ title: `Change it to "HIGH"`, isPreferred: true });

    // An app that has never run is loaded with what is on the disk.
    writeFileSync(join(made.folder, "main.js"), saved.replace("HIHG", "LOW"));
    await editor.until(nothing);
    if (fix !== undefined) await editor.apply(fix);
    await until(
      async () => (await editor.hover(`endpointId: "edge"`))?.includes(`"HIGH"`) === true,
    );
    expect(await editor.hover(`endpointId: "edge"`)).toMatch(
      /^\*\*one\*\*, compared with nothing deployed\n\n````text\n\+ ids_endpoint\.edge at main\.js:15:1\n/,
    );
    expect(await editor.hover(`new cdktf.App`)).toBeUndefined();
    expect(await editor.close()).toBe(0);
  });

  it("acknowledges a warning, in the code", async () => {
    const made = await project(edge().replace(`  severity: "HIGH",\n`, ""));
    const editor = await opened(made, "main.js", (shown) => shown !== "");
    expect(editor.shown).toEqual([
      expect.stringMatching(
        /^15 <new ids\.Endpoint> warning \[endpoint-without-severity\]: severity: should be set/,
      ),
    ]);
    expect(editor.pages).toEqual([pageOf("endpoint-without-severity")]);
    const [acknowledge] = await editor.actions("new ids.Endpoint(one");
    expect(acknowledge?.title).toBe("Acknowledge endpoint-without-severity");
    if (acknowledge !== undefined) await editor.apply(acknowledge);
    await editor.until(nothing);
    expect(editor.text).toContain(`const edge = new ids.Endpoint(one, "edge", {
  endpointId: "edge",
  network: "projects/acme/global/networks/main",
});
acknowledge(edge, "endpoint-without-severity", "Say why this is intended.");`);
    await editor.close();
  });

  it("shows what would be replaced and destroyed, and keeps what has another name", async () => {
    const made = await project(edge());
    await remember(made);
    const editor = await opened(made, "main.js", nothing, against);
    await until(async () => (await editor.hover(`endpointId: "`)) !== undefined);
    const before = editor.text;
    expect(await editor.hover(`endpointId: "`)).toContain("ids_endpoint.edge: no changes");

    await editor.type(before.replace(`endpointId: "edge"`, `endpointId: "border"`));
    await editor.until((shown) => shown.includes("plan replaces"));
    expect(editor.shown).toEqual([
      `16 <endpointId: "border"> information: The plan replaces ids_endpoint.edge: endpoint_id changes from "edge" to "border".`,
    ]);
    expect(await editor.hover(`endpointId: "`)).toContain(
      `~ endpoint_id = "edge" → "border" # forces replacement`,
    );

    await editor.type(before.replace(`(one, "edge"`, `(one, "border"`));
    await editor.until((shown) => shown.includes("Renaming"));
    expect(editor.shown).toEqual([
      "15 <new ids.Endpoint> warning: Renaming the construct destroys ids_endpoint.edge and creates ids_endpoint.border. " +
        "To keep the resource, call moveFromId(…) on the construct.",
    ]);
    const [keep] = await editor.actions("new ids.Endpoint(one");
    expect(keep?.title).toBe("Keep ids_endpoint.edge, which has moved");
    if (keep !== undefined) await editor.apply(keep);
    await editor.until(nothing);
    expect(editor.text).toContain(`border.moveFromId("ids_endpoint.edge");`);

    await editor.type(before.replace(edge(), `stack("one");`));
    await editor.until((shown) => shown.includes("plan destroys"));
    expect(editor.shown[0]).toMatch(/ information: The plan destroys ids_endpoint\.edge\.$/);
    await editor.close();
  });

  it("shows a refused creation as an error", async () => {
    const made = await project(edge());
    const refuse = { args: ["--refuse", "create"] };
    const editor = await opened(made, "main.js", (shown) => shown !== "", refuse);
    expect(editor.shown).toEqual([
      "15 <new ids.Endpoint> error: The plan creates ids_endpoint.edge. --refuse does not allow this.",
    ]);
    await editor.close();
  });

  it("plans with a provider of the project, which can print, and with its newest source", async () => {
    const { workspace } = await scenario("terraform");
    const made = new ProviderProject(workspace);
    const editor = await opened(made, "main.js", nothing);
    const over = "new (construct(note))";
    await until(async () => (await editor.hover(over))?.includes(`"We need milk."`) === true);
    const declared = join(made.folder, "declarations.js");
    const rule = `t.oneOf(["tea"]), { doc: "What`;
    made.write(
      "declarations.js",
      `console.log("loaded");\n${readFileSync(declared, "utf8").replace('t.string(), { doc: "What', rule)}`,
    );
    await editor.until((shown) => shown.includes("We need milk."));
    expect(editor.shown).toEqual([
      expect.stringMatching(/error \[INVALID_ARGUMENT\]: text: .*We need milk\./),
    ]);
    expect(await editor.close()).toBe(0);
  });

  it("keeps the last plan while the app fails, with the line of the failure and of an endless loop", async () => {
    const made = await project(edge());
    const editor = await opened(made, "main.js", () => true, {
      env: { TRIVET_APP_TIMEOUT: "8" },
    });
    await until(async () => (await editor.hover(`endpointId: "`)) !== undefined);
    const before = editor.text;
    await editor.type(`${before}\nthrow new Error("later", { cause: new Error("first") });`);
    await editor.until((shown) => shown.includes("later"));
    expect(editor.shown).toEqual([
      `22 <new Error> error: later\nThe plan is from before this edit.`,
    ]);
    expect(await editor.hover(`endpointId: "`)).toMatch(
      /^\*The app fails\. This is the last plan\.\*/,
    );

    await editor.type(`${before}\nconsole.error(process.pid);\n  ${endlessLoop}`);
    await editor.until((shown) => shown.includes("endless"));
    expect(editor.shown[0]).toMatch(
      /^23 <[\w.]+> error: the app was blocked for \d+ s, as by an endless loop/,
    );
    // It is started anew.
    writeFileSync(join(made.folder, "main.js"), `${before}\n`);
    await editor.type(`${before}\n`);
    await editor.until(nothing);
    await editor.close();
  });

  it("leaves no process behind when the editor is gone", async () => {
    const made = await project(
      `${edge()}\nrequire("fs").writeFileSync("pid", String(process.pid));`,
    );
    const editor = await opened(made, "main.js", () => true);
    await until(async () => (await editor.hover(`endpointId: "`)) !== undefined);
    const pid = Number(readFileSync(join(made.folder, "pid"), "utf8"));
    expect(isProcessAlive({ pid, start: undefined })).toBe(true);
    editor.child.stdin?.destroy();
    await until(() => !isProcessAlive({ pid, start: undefined }));
    await until(() => editor.child.exitCode !== null);
    expect(made.leftovers()).toEqual([]);
  });

  it("says in cdktf.json what is wrong with the project", async () => {
    const made = await project(edge());
    writeFileSync(join(made.folder, "cdktf.json"), "{}");
    const editor = await opened(made, "cdktf.json", (shown) => shown !== "");
    expect(editor.shown[0]).toMatch(/^1 <\{> error: .*does not say how to synthesize/);
    made.configure();
    await editor.until(nothing);
    await editor.close();
  });
});
