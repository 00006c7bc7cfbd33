import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseTrustedJson } from "../../src/core/json/plain-json";
import { root } from "../e2e/support/build";
import { type Ended, interrupt, type Started, startCommand } from "../e2e/support/command";
import { installation } from "../e2e/support/installation";
import { scenario } from "../e2e/support/scenario";
import type { Service } from "../e2e/support/service";
import { tools } from "../e2e/support/tool";
import type { Workspace } from "../e2e/support/workspace";
import { packedProject, writeFiles } from "./packed-project";

type Library = "cdktf" | "cdktn";

/** A project in TypeScript, with everything installed. */
class ImportProject {
  readonly folder: string;
  readonly #workspace: Workspace;

  constructor(workspace: Workspace, library: Library, files: Readonly<Record<string, string>>) {
    this.#workspace = workspace;
    this.folder = packedProject([library, "constructs", "typescript", "@types/node"]);
    const kit = join(this.folder, "node_modules", "@trivet", "provider-kit");
    mkdirSync(dirname(kit), { recursive: true });
    execFileSync("cp", ["-r", join(root, "dist", "packages", "provider-kit"), kit]);
    const checks = { strict: true, noUnusedLocals: true, skipLibCheck: true, types: ["node"] };
    const compilerOptions = { target: "es2022", module: "node16", ...checks, outDir: "build" };
    // Types are checked where the command has written code: see `expectToCompile`.
    const sources = "find . -name node_modules -prune -o -type f -name '*.ts' -print";
    const esbuild = `'${require.resolve("esbuild/bin/esbuild")}' --log-level=warning`;
    const app = `${esbuild} $(${sources}) --format=cjs --outbase=. --outdir=build && node build/main.js`;
    writeFiles(this.folder, {
      "package.json": JSON.stringify({ dependencies: { [library]: "*" } }),
      "tsconfig.json": JSON.stringify({
        compilerOptions,
        include: ["**/*.ts"],
        exclude: ["node_modules"],
      }),
      "cdktf.json": JSON.stringify({ language: "typescript", app, projectId: "1" }),
      ...files,
    });
  }

  write(files: Readonly<Record<string, string>>): void {
    writeFiles(this.folder, files);
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), "utf8");
  }

  run(command: string, ...args: readonly string[]): Promise<Ended> {
    return this.start(command, ...args).ended;
  }

  /** Expects that the compiler of a user's project finds no error. */
  expectToCompile(): void {
    const compiler = "node_modules/typescript/bin/tsc";
    const options = { cwd: this.folder, encoding: "utf8" } as const;
    const { status, stdout } = spawnSync(process.execPath, [compiler, "--noEmit"], options);
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  }

  start(command: string, ...args: readonly string[]): Started {
    const main = "node_modules/@trivet/constructs/dist/src/cli/main.js";
    const mirror = command === "import" ? [] : ["--dir", installation().mirror];
    return startCommand(process.execPath, [main, command, ...mirror, ...args], {
      cwd: this.folder,
      env: {
        ...this.#workspace.env,
        TF_CLI_CONFIG_FILE: undefined,
        TERRAFORM_BINARY_NAME: this.#workspace.tool,
        CI: "1",
      },
    });
  }

  /** The actions of a plan, by address. */
  async planned(): Promise<Readonly<Record<string, string>>> {
    const { code, stdout, output } = await this.run("plan", "--json");
    expect({ code, output }).toMatchObject({ code: 0 });
    const { stacks } = parseTrustedJson(stdout) as {
      readonly stacks: readonly {
        readonly changes: {
          readonly resources: readonly { readonly address: string; readonly action: string }[];
        };
      }[];
    };
    const all = stacks.flatMap(({ changes }) => changes.resources);
    return Object.fromEntries(all.map(({ address, action }) => [address, action]));
  }
}

/** Creates endpoints behind the back of every stack. */
async function existing(
  { url }: Service,
  endpoints: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Promise<void> {
  for (const [place, more] of Object.entries(endpoints)) {
    const [location = "", id = ""] = place.split("/");
    const parent = `projects/acme/locations/${location}/endpoints`;
    const response = await fetch(`${url}${parent}?endpointId=${id}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        network: "projects/acme/global/networks/main",
        severity: "HIGH",
        ...more,
      }),
    });
    expect(response.status).toBe(200);
  }
}

const endpoints = {
  "us-central1-a/edge": {},
  "us-central1-a/core": {
    description: 'A "quoted" ${text}',
    labels: { team: "a", "cost-centre": "7" },
    threatExceptions: ["1", "2"],
    trafficLogs: true,
    severity: "LOW",
  },
  "us-east1-b/far": {},
};

const app = (library: Library, url: string, body = ""): string => `
  import { App, TerraformStack, TerraformVariable } from "${library}";
  import { ids } from "@trivet/constructs${library === "cdktn" ? "/cdktn" : ""}";
  ${body === "" ? "" : 'import { addEndpoints } from "./endpoints";'}
  const app = new App();
  const stack = new TerraformStack(app, "one");
  const project = new TerraformVariable(stack, "project", { type: "string", default: "acme" });
  const provider = new ids.IdsProvider(stack, "ids", { project: project.stringValue,
    zone: "us-central1-a", cloudIdsCustomEndpoint: "${url}", alias: ALIAS });
  void provider;
  ${body}
  app.synth();`;

const settled = { service: { pollsUntilDone: 0 } };

/** Each library, and each tool. */
const kinds = [
  ["cdktf", tools[0] ?? "terraform"],
  ["cdktn", tools.at(-1) ?? "terraform"],
] as const;

describe("`trivet import`", () => {
  it.each(kinds)(
    "writes endpoints for %s that %s imports without a change",
    async (library, tool) => {
      const { service, workspace } = await scenario(tool, settled);
      await existing(service, endpoints);
      const main = app(library, service.url).replace("ALIAS", "undefined");
      const project = new ImportProject(workspace, library, { "main.ts": main });
      const written = await project.run("import", "ids_endpoint", "--out", "endpoints.ts");
      expect(written).toMatchObject({ code: 0, stdout: "" });
      expect(written.output).toContain("wrote 3 of type ids_endpoint to endpoints.ts");
      const code = project.read("endpoints.ts");
      expect(code).toContain(`description: 'A "quoted" $\${text}',`);
      // What the provider decides in the same way is left out; another location is not.
      expect(code.match(/location: .*/g)).toEqual(['location: "us-east1-b",']);

      const using = app(library, service.url, "addEndpoints(stack);").replace("ALIAS", "undefined");
      project.write({ "main.ts": using });
      project.expectToCompile();
      const addresses = ["core", "edge", "far"].map((id) => `ids_endpoint.${id}`);
      const imports = Object.fromEntries(addresses.map((each) => [each, "import"]));
      expect(await project.planned()).toEqual(imports);
      expect(await project.run("deploy", "--auto-approve")).toMatchObject({ code: 0 });
      expect(service.changes.filter((change) => !change.startsWith("POST"))).toEqual([]);

      project.write({ "endpoints.ts": code.replaceAll(/\.importFrom\(\s*"[^"]*",?\s*\)/g, "") });
      expect(await project.planned()).toEqual({});
      const again = await project.run("import", "ids_endpoint");
      expect(again).toMatchObject({ code: 0, stdout: "" });
      expect(again.output).toContain("left out 3 that the project already manages");
      expect(again.output).toContain("found no resources of type ids_endpoint to import");
    },
  );

  it("uses the stack, the provider and the variables that are named", async () => {
    const { service, workspace } = await scenario("terraform", settled);
    await existing(service, endpoints);
    const aliased = app("cdktf", service.url)
      .replace("ALIAS", '"second"')
      .replace('default: "acme"', "sensitive: false");
    const project = new ImportProject(workspace, "cdktf", { "main.ts": aliased });
    const named = ["ids_endpoint", "--stack", "one", "--alias", "second"];
    const unknown = await project.run("import", ...named);
    expect(unknown.code).toBe(1);
    expect(unknown.output).toContain(
      "provider.ids.second: project: Setting Not Known: The setting depends on var.project. Set it with --var.",
    );
    const filter = 'filter=severity = "LOW"';
    const known = [...named, filter, "--var", "project=acme", "--out", "endpoints.ts"];
    const written = await project.run("import", ...known);
    expect(written.output).toContain("wrote 1 of type ids_endpoint");
    const using = aliased
      .replace("void provider;", "addEndpoints(stack, provider);")
      .replace("const app", 'import { addEndpoints } from "./endpoints";\nconst app')
      .replace("sensitive: false", 'default: "acme"');
    project.write({ "main.ts": using });
    project.expectToCompile();
    expect(await project.planned()).toEqual({ "ids_endpoint.core": "import" });
  });

  it("refuses what cannot be imported, and overwrites nothing", async () => {
    const { service, workspace } = await scenario("terraform", settled);
    await existing(service, endpoints);
    const main = app("cdktf", service.url).replace("ALIAS", "undefined");
    const project = new ImportProject(workspace, "cdktf", { "main.ts": main });
    const refused = async (...args: readonly string[]) => {
      const { code, stdout, output } = await project.run("import", ...args);
      expect(stdout).toBe("");
      return [code, output.trim()];
    };
    expect(await refused("ids_endpont")).toEqual([
      2,
      'trivet: No provider lists resources of type "ids_endpont"; did you mean "ids_endpoint"?\n' +
        "These types can be imported: ids_endpoint, signing_sign, signing_attest.",
    ]);
    expect(await refused("ids_endpoint", "zone=a")).toEqual([
      2,
      'trivet: The argument "zone" is not supported here.\nThe filters are: project, location, filter.',
    ]);
    expect(await refused("ids_endpoint", "--out", "main.ts")).toEqual([
      2,
      "trivet: main.ts already exists.\n" +
        "Name another file with --out. trivet import never overwrites files.",
    ]);
    symlinkSync("nowhere", join(project.folder, "link.ts"));
    expect(await refused("ids_endpoint", "--out", "link.ts")).toEqual([
      2,
      "trivet: link.ts already exists, as a link.\n" +
        "Name another file with --out. trivet import never overwrites files.",
    ]);
    const [failed, message] = await refused("ids_endpoint", "--out", "main.ts/notes.ts");
    expect(failed).toBe(1);
    expect(message).toMatch(
      /trivet: main\.ts\/notes\.ts cannot be written: E\w+: .*\nName another file with --out\.$/,
    );
    expect(await refused("ids_endpoint", "--stack", "two")).toEqual([
      2,
      'trivet: No stack is called "two".\nThe stacks are: one.',
    ]);
    service.fault = ({ path }) =>
      path.includes("/locations/-/") ? { kind: "answer", status: 403 } : undefined;
    const [code, output] = await refused("ids_endpoint");
    expect(code).toBe(1);
    expect(output).toContain("projects/acme/locations/-/endpoints");
  });
});

it.each(["/locations/-/endpoints", "/endpoints/far"])(
  "ends at once when it is interrupted at %s, and writes nothing",
  async (path) => {
    const { service, workspace } = await scenario("terraform", settled);
    await existing(service, endpoints);
    const main = app("cdktf", service.url).replace("ALIAS", "undefined");
    const project = new ImportProject(workspace, "cdktf", { "main.ts": main });
    const isAsked = service.arrival((request) => request.path.endsWith(path));
    service.fault = (request) =>
      request.path.endsWith(path) ? { kind: "never answer" } : undefined;
    const started = project.start("import", "ids_endpoint", "--out", "endpoints.ts");
    await isAsked;
    interrupt(started);
    const { code, output } = await started.ended;
    expect({ code, output }).toEqual({ code: 130, output: "" });
    expect(existsSync(join(project.folder, "endpoints.ts"))).toBe(false);
  },
);

const notes = `
  import { readdir, readFile } from "node:fs/promises";
  import { join } from "node:path";
  import { computed, implement, implementListResource, listResource, optional, provider,
    type ProviderDefinition, required, requiredForImport, resource, t } from "@trivet/provider-kit";

  export const settings = provider("notes", {
    source: "example.com/acme/notes",
    doc: "Notes.",
    attributes: { folder: required(t.string(), { doc: "Folder." }) },
  });
  export const note = resource("notes_note", {
    doc: "A note.",
    attributes: {
      fileName: required(t.string(), { doc: "Name.", requiresReplace: true }),
      text: optional(t.string(), { doc: "Text." }),
      path: computed(t.string(), { doc: "Path.", useStateForUnknown: true }),
      token: optional(t.string(), { doc: "Token.", sensitive: true }),
    },
    importId: ["{fileName}"],
    identity: { attributes: { fileName: requiredForImport(t.string(), { doc: "Name." }) } },
  });
  const list = listResource(note, {
    doc: "Notes.",
    attributes: { ending: optional(t.string(), { doc: "End of the names." }) },
  });
  interface Client { readonly folder: string }
  const read = async (folder: string, fileName: string) => {
    const path = join(folder, fileName);
    const token = fileName.endsWith(".key") ? "hunter2" : null;
    return { fileName, path, text: await readFile(path, "utf8"), token };
  };
  const never = (): never => { throw new Error("not needed"); };
  const handlers = implement(note)<Client>({
    create: never, update: never, delete: never,
    read: (state, { client }) => read(client.folder, state.fileName),
  });
  const lists = implementListResource(list)<Client>({
    async *list({ ending }, { client }) {
      for (const fileName of (await readdir(client.folder)).sort()) {
        if (!fileName.endsWith(ending ?? "")) continue;
        const state = await read(client.folder, fileName);
        yield { displayName: fileName, identity: { fileName }, state };
      }
    },
  });
  export const definition: ProviderDefinition<typeof settings, Client> = {
    declaration: settings,
    configure: ({ folder }) => ({ folder: String(folder) }),
    resources: [handlers],
    listResources: [lists],
  };`;

const notesApp = (body: string): string => `
  import { App, TerraformStack } from "cdktf";
  import { construct } from "@trivet/constructs";
  import { settings } from "./providers";
  ${body === "" ? "" : 'import { addNotes } from "./imported/notes";'}
  const app = new App();
  const stack = new TerraformStack(app, "one");
  new (construct(settings))(stack, "notes", { folder: ${JSON.stringify("FOLDER")} });
  ${body}
  app.synth();`;

it("imports resources of a provider in the project", async () => {
  const { workspace } = await scenario("terraform");
  const project = new ImportProject(workspace, "cdktf", { "providers.ts": notes });
  const folder = join(project.folder, ".notes");
  const appWith = (body: string) => notesApp(body).replace("FOLDER", folder);
  project.write({
    ".notes/milk.txt": "We need milk.",
    ".notes/2.md": "Two.",
    "main.ts": appWith(""),
  });
  const out = join("imported", "notes.ts");
  const written = await project.run("import", "notes_note", "--out", out);
  expect(written.output).toContain("wrote 2 of type notes_note");
  expect(project.read(out)).toBe(`import type { Construct } from "constructs";
import { construct } from "@trivet/constructs";
import { note } from "../providers";

const Note = construct(note);

/**
 * Adds existing resources of type notes_note. The first deployment
 * imports them. Then \`importFrom\` can be removed.
 */
export function addNotes(scope: Construct): void {
  new Note(scope, "note-2-md", {
    fileName: "2.md",
    text: "Two.",
  }).importFrom("2.md");

  new Note(scope, "milk-txt", {
    fileName: "milk.txt",
    text: "We need milk.",
  }).importFrom("milk.txt");
}
`);
  project.write({ "main.ts": appWith("addNotes(stack);") });
  project.expectToCompile();
  expect(await project.planned()).toEqual({
    "notes_note.note-2-md": "import",
    "notes_note.milk-txt": "import",
  });
  const filtered = await project.run("import", "notes_note", "ending=.md");
  expect(filtered.output).toContain("left out 1 that the project already manages");
});

it("imports what has names that would be code, templates or escape sequences", async () => {
  const { workspace } = await scenario("terraform");
  const project = new ImportProject(workspace, "cdktf", { "providers.ts": notes });
  const appWith = (body: string) =>
    notesApp(body).replace("FOLDER", join(project.folder, ".notes"));
  const names = [
    "a\n  process.exit(9);.key",
    '${upper("b")}.txt',
    "$${c}%{d}.txt",
    "e\u001b]0;f\u0007\u202eg.txt",
  ];
  project.write({
    ...Object.fromEntries(names.map((name) => [`.notes/${name}`, `Text of ${name}`])),
    "main.ts": appWith(""),
  });
  const written = await project.run("import", "notes_note", "--out", "imported/notes.ts");
  expect(written.output).toBe("trivet: wrote 4 of type notes_note to imported/notes.ts\n");
  expect(project.read("imported/notes.ts")).toMatch(/^[\n -~]+$/);
  project.write({ "main.ts": appWith("addNotes(stack);") });
  project.expectToCompile();
  // The first one has a token, which is not written.
  expect(Object.values(await project.planned())).toEqual(["update", "import", "import", "import"]);
  const again = await project.run("import", "notes_note");
  expect(again.output).toContain("left out 4 that the project already manages");
});
