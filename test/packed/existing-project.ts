import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { temporaryFolder } from "../cli/temporary-folder";
import { type Ended, startCommand } from "../e2e/support/command";
import { packedTarball, writeFiles } from "./packed-project";

/** An app of ES modules, whose types Node.js can strip. */
export const app = {
  "watch-stack.ts": `
import { TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { ids } from "@trivet/constructs";

export class WatchStack extends TerraformStack {
  constructor(scope: Construct, id: string, endpointId: string) {
    super(scope, id);
    new ids.IdsProvider(this, "ids", { project: "my-project", zone: "us-central1-f" });
    new ids.Endpoint(this, "edge", { endpointId, network: "n", severity: ids.EndpointSeverity.HIGH });
  }
}`,
  "main.ts": `
import { App } from "cdktf";
import { WatchStack } from "./watch-stack.ts";
const app = new App();
new WatchStack(app, "watch", process.env["ENDPOINT"] ?? "edge");
app.synth();
if (process.env["LOOP"] !== undefined) for (;;);`,
};

const compilerOptions = {
  target: "es2022",
  module: "nodenext",
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
};

export const tsconfig = JSON.stringify({ compilerOptions });

/** The settings of a project whose app this command runs. */
export const settings = (command: string): string =>
  JSON.stringify({
    language: "typescript",
    projectId: "existing",
    sendCrashReports: "false",
    app: command,
  });

/** Where the packed package is in a project that a package manager installs. */
const vendored = "vendor/trivet.tgz";
export const vendoredPackage = `file:./${vendored}`;

/** A new folder with these files, and with the packed package, which is not on a registry. */
export function projectToInstall(files: Readonly<Record<string, string>>): string {
  const project = temporaryFolder();
  mkdirSync(join(project, "vendor"));
  cpSync(packedTarball(), join(project, vendored));
  writeFiles(project, files);
  return project;
}

/** Puts a command on `PATH`. Returns the folder to put there. */
export function commandFolder(name: string, file: string): string {
  const folder = temporaryFolder();
  const node = file.endsWith("js") ? `'${process.execPath}' ` : "";
  writeFileSync(join(folder, name), `#!/bin/sh\nexec ${node}'${file}' "$@"\n`);
  chmodSync(join(folder, name), 0o755);
  return folder;
}

/** Runs a line of shell in a project, as its user does. */
export async function attempt(
  folder: string,
  line: string,
  {
    path = [],
    env = {},
  }: { readonly path?: readonly string[]; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  const PATH = [...path, process.env["PATH"]].join(delimiter);
  const own = {
    PATH,
    HOME: homeFolder(),
    CI: "",
    NO_COLOR: "1",
    npm_config_cache: join(homedir(), ".npm"),
    npm_config_update_notifier: "false",
    npm_config_ignore_scripts: "true",
  };
  return await startCommand("sh", ["-c", line], { cwd: folder, env: { ...own, ...env } }).ended;
}

/** The same. It must succeed. Returns its output. */
export async function ran(...args: Parameters<typeof attempt>): Promise<string> {
  const { code, output } = await attempt(...args);
  expect({ line: args[1], code, output }).toMatchObject({ code: 0 });
  return output;
}

let home: string | undefined;

function homeFolder(): string {
  home ??= temporaryFolder();
  return home;
}
