import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { temporaryFolder } from "../cli/temporary-folder";
import { type Ended, startCommand, succeeded, type Started } from "../e2e/support/command";
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

interface Surroundings {
  readonly path?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts a line of shell in a project, as its user does. */
function started(folder: string, line: string, { path = [], env = {} }: Surroundings): Started {
  const own = {
    PATH: [...path, process.env["PATH"]].join(delimiter),
    HOME: homeFolder(),
    NO_COLOR: "1",
    npm_config_cache: join(homedir(), ".npm"),
    npm_config_update_notifier: "false",
    npm_config_ignore_scripts: "true",
  };
  return startCommand("sh", ["-c", line], { cwd: folder, env: { ...own, ...env } });
}

/** Runs a line of shell in a project. */
export const attempt = (folder: string, line: string, around: Surroundings = {}): Promise<Ended> =>
  started(folder, line, around).ended;

/** The same. It must succeed. Returns its output. */
export async function ran(
  folder: string,
  line: string,
  around: Surroundings = {},
): Promise<string> {
  return (await succeeded(line, started(folder, line, around))).output;
}

/** Yarn 4 does not read the settings of npm, such as the certificates of a proxy. */
export function certificatesForYarn(): NodeJS.ProcessEnv {
  const file = execFileSync("npm", ["config", "get", "cafile"], { encoding: "utf8" }).trim();
  return file === "null" ? {} : { YARN_HTTPS_CA_FILE_PATH: file };
}

let home: string | undefined;

function homeFolder(): string {
  home ??= temporaryFolder();
  return home;
}
