import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isProcessAlive } from "../../../src/core/process/process-facts";
import { temporaryFolder } from "../../cli/temporary-folder";
import { buildWhenStale, root } from "../../e2e/support/build";
import { until } from "../../until";
import { EditorStandIn, packedText } from "./editor-stand-in";

interface Extension {
  activate(context: { readonly subscriptions: object[] }): Promise<void>;
  deactivate(): Promise<void>;
}

const folder = temporaryFolder();
const extension = join(folder, "extension");
const started: Extension[] = [];

beforeAll(async () => {
  await buildWhenStale();
  const script = join(root, "scripts", "build", "editor-extension.mjs");
  const code = `import(${JSON.stringify(script)})
    .then((it) => it.writeEditorExtension(${JSON.stringify(root)}, ${JSON.stringify(extension)}));`;
  execFileSync(process.execPath, ["-e", code], { stdio: "inherit" });
});

afterEach(async () => {
  for (const each of started.splice(0)) await each.deactivate();
});

/** Starts the extension as it is packed. */
async function activate(editor: EditorStandIn): Promise<Extension> {
  jest.resetModules();
  jest.doMock("vscode", () => editor.module, { virtual: true });
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- a file that the test has made
  const made = require(join(extension, "extension.js")) as Extension;
  started.push(made);
  await made.activate({ subscriptions: [] });
  return made;
}

/** A project with an endpoint without a severity, which is a warning. */
function project(name: string): string {
  const made = join(folder, name);
  mkdirSync(made, { recursive: true });
  writeFileSync(
    join(made, "cdktf.json"),
    JSON.stringify({ language: "typescript", app: "node main.js", projectId: "1" }),
  );
  writeFileSync(
    join(made, "main.js"),
    `const cdktf = require("cdktf");
const { ids } = require("@trivet/constructs");
const app = new cdktf.App();
const stack = new cdktf.TerraformStack(app, "one");
new ids.IdsProvider(stack, "ids", { project: "acme", zone: "us-central1-a" });
new ids.Endpoint(stack, "edge", { endpointId: "edge", network: "projects/acme/global/networks/main" });
app.synth();
require("fs").writeFileSync("pid", String(process.pid));
`,
  );
  return made;
}

/** Installs this package, in a folder for its projects. */
function install(into: string): void {
  mkdirSync(join(into, "node_modules", "@trivet"), { recursive: true });
  symlinkSync(root, join(into, "node_modules", "@trivet", "constructs"));
  for (const name of ["cdktf", "constructs"]) {
    symlinkSync(join(root, "node_modules", name), join(into, "node_modules", name));
  }
}

describe("the extension for VS Code", () => {
  it("shows what the server of the project says, and what its settings ask for", async () => {
    const made = project("one");
    install(made);
    const file = join(made, "main.js");
    const editor = new EditorStandIn([made], [file]);
    const running = await activate(editor);
    await until(() => editor.shown.get(file)?.length === 1);
    expect(editor.shown.get(file)).toEqual([
      expect.stringMatching(/^6: severity: should be set/) as unknown,
    ]);
    expect(editor.warnings).toEqual([]);

    await editor.configure("against", "nowhere");
    await until(() =>
      [...editor.shown.values()]
        .flat()
        .join()
        .includes("The path of --against does not exist: nowhere"),
    );

    const pid = Number(readFileSync(join(made, "pid"), "utf8"));
    await running.deactivate();
    await until(() => !isProcessAlive({ pid, start: undefined }));
  });

  it("says how to install the command, and starts it once it is there, also above the project", async () => {
    const workspace = join(folder, "two");
    const made = project("two/stacks/network");
    const file = join(made, "main.js");
    const editor = new EditorStandIn([workspace], [file]);
    await activate(editor);
    expect(editor.warnings).toEqual([
      `Trivet is not installed in ${made}. Run "npm install @trivet/constructs" there, then the command ` +
        `"Trivet: Restart".`,
    ]);
    install(workspace);
    await editor.run("trivet.restart");
    await until(() => editor.shown.get(file)?.length === 1);
    expect(editor.warnings).toHaveLength(1);
  });

  it("says that Node.js is not on PATH", async () => {
    const made = project("three");
    install(made);
    const editor = new EditorStandIn([made]);
    const failing = (...args: readonly unknown[]): void => {
      (args.at(-1) as (error: Error) => void)(new Error("spawn node ENOENT"));
    };
    const node: { execFile: unknown } = jest.requireActual("node:child_process");
    const { execFile } = node;
    node.execFile = failing;
    try {
      await activate(editor);
    } finally {
      node.execFile = execFile;
    }
    expect(editor.warnings).toEqual([expect.stringMatching(/^Trivet needs the command "node"/)]);
  });

  it("does nothing in a folder without a project", async () => {
    mkdirSync(join(folder, "four"));
    const editor = new EditorStandIn([join(folder, "four")]);
    await activate(editor);
    expect({ warnings: editor.warnings, log: editor.log }).toEqual({ warnings: [], log: [] });
  });

  it("runs only where the user trusts the workspace, and describes its settings", () => {
    const manifest = JSON.parse(packedText(extension, "package.json")) as {
      readonly version: string;
      readonly activationEvents: readonly string[];
      readonly capabilities: Readonly<Record<string, { readonly supported: boolean }>>;
      readonly contributes: { readonly configuration: { readonly properties: object } };
    };
    const own = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      readonly version: string;
    };
    expect(manifest.version).toBe(own.version);
    expect(manifest.activationEvents).toEqual(["workspaceContains:**/cdktf.json"]);
    expect(manifest.capabilities["untrustedWorkspaces"]?.supported).toBe(false);
    const readme = packedText(extension, "README.md");
    const guide = readFileSync(join(root, "docs", "guide", "editors.md"), "utf8");
    for (const setting of Object.keys(manifest.contributes.configuration.properties)) {
      expect(readme).toContain(`| \`${setting}\``);
      expect(guide).toContain(`| \`${setting}\``);
    }
  });

  it("contains the licences of the code in it", () => {
    const notices = packedText(extension, "THIRD-PARTY-LICENSES");
    expect(notices).toMatch(/^- vscode-languageclient@[\d.]+: MIT/m);
    expect(notices).not.toContain("re2js");
  });
});
