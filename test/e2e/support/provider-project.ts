import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./build";
import { type Ended, type Started, startCommand } from "./command";
import { installation } from "./installation";
import type { Workspace } from "./workspace";

const packages = ["cdktf", "constructs", "typescript", "commander", "zod"];

/** What the declarations of the project's provider are; the app and the provider load it. */
const declarations = `const kit = require("@trivet/provider-kit");
const { computed, provider, required, resource, t } = kit;
exports.settings = provider("notes", {
  source: "example.com/acme/notes",
  doc: "Notes.",
  attributes: { folder: required(t.string(), { doc: "Folder." }) },
});
exports.note = resource("notes_note", {
  doc: "A note.",
  attributes: {
    fileName: required(t.string(), { doc: "Name of the file.", requiresReplace: true }),
    text: required(t.string(), { doc: "What the note says." }),
    path: computed(t.string(), { doc: "Path.", useStateForUnknown: true, neverNull: true }),
  },
});
`;

/** The definition, with the statements at the beginning of \`create\` and \`update\`. */
const definition = (
  before: string,
): string => `import { rm, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { implement, type ProviderDefinition } from "@trivet/provider-kit";
import { note, settings } from "./declarations";

interface Client { readonly folder: string }

const handlers = implement(note as never)<Client>({
  async create({ fileName, text }: never, { client }: never) {
    const path: string = join((client as Client).folder, fileName);
${before}
    await writeFile(path, text);
    return { fileName, text, path };
  },
  async read(state: { path: string }) {
    const text = await readFile(state.path, "utf8").catch(() => undefined);
    return text === undefined ? undefined : { ...state, text };
  },
  async update({ fileName, text }: never, { path }: never) {
    await writeFile(path, text);
    return { fileName, text, path };
  },
  async delete({ path }: { path: string }) {
    await rm(path, { force: true });
  },
} as never);

export const notes = {
  declaration: settings,
  configure: ({ folder }: { folder: string }) => ({ folder }),
  resources: [handlers],
} as unknown as ProviderDefinition<never, Client>;
`;

/** The line of the first statement that is added to \`create\`. */
export const firstLine = 11;

/** A cdktf project with a provider of its own. */
export class ProviderProject {
  readonly folder: string;
  readonly #workspace: Workspace;

  constructor(workspace: Workspace) {
    this.folder = join(workspace.folder, "project");
    this.#workspace = workspace;
    for (const name of packages) this.addPackage(name);
    this.#link("@trivet/provider-kit", join(root, "dist", "packages", "provider-kit"));
    mkdirSync(join(this.folder, ".notes"));
    this.configure();
    this.write("declarations.js", declarations);
    this.writeProvider();
    this.writeApp();
  }

  /** Adds a package of this checkout. */
  addPackage(name: string): void {
    this.#link(name, join(root, "node_modules", name));
  }

  /** Puts a module in the place of a package. */
  replacePackage(name: string, code: string): void {
    const folder = join(this.folder, "node_modules", name);
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    writeFileSync(join(folder, "index.js"), code);
  }

  #link(name: string, target: string): void {
    const link = join(this.folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(target, link);
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  configure(context: Readonly<Record<string, unknown>> = {}): void {
    const config = { language: "typescript", app: "node main.js", projectId: "1", context };
    this.write("cdktf.json", JSON.stringify(config));
  }

  /** @param before statements at the beginning of \`create\` */
  writeProvider(before = "", file = "providers.ts"): void {
    this.write(file, definition(before));
  }

  writeApp(text = "We need milk.", file = "milk.txt"): void {
    this.write(
      "main.js",
      `const cdktf = require("cdktf");
const { construct } = require(${JSON.stringify(join(root, "dist", "src", "index.js"))});
const { note, settings } = require("./declarations");
const app = new cdktf.App();
const stack = new cdktf.TerraformStack(app, "shopping");
new (construct(settings))(stack, "notes", { folder: require("path").join(__dirname, ".notes") });
new (construct(note))(stack, "milk", { fileName: ${JSON.stringify(file)}, text: ${JSON.stringify(text)} });
app.synth();
`,
    );
  }

  /** The environment of commands, without another configuration of Terraform. */
  get env(): NodeJS.ProcessEnv {
    return {
      ...this.#workspace.env,
      TF_CLI_CONFIG_FILE: undefined,
      TF_CLI_ARGS: undefined,
      TERRAFORM_BINARY_NAME: this.#workspace.tool,
      CI: "1",
    };
  }

  /** The arguments of Node.js for a command. */
  commandLine(command: string, args: readonly string[]): readonly string[] {
    const main = join(root, "dist", "src", "cli", "main.js");
    const mirror = ["check", "lsp"].includes(command) ? [] : ["--dir", installation().mirror];
    return [main, command, ...mirror, ...args];
  }

  start(command: string, ...args: readonly string[]): Started {
    return startCommand(process.execPath, this.commandLine(command, args), {
      cwd: this.folder,
      env: this.env,
    });
  }

  run(command: string, ...args: readonly string[]): Promise<Ended> {
    return this.start(command, ...args).ended;
  }
}
