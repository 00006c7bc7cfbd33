import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { blocksIn, type BodyItem } from "../../core/hcl/configuration-blocks";
import { codeOf } from "../../core/hcl/template-sequences";
import type { CommandEnvironment } from "../invocation/command-environment";
import { providerPattern } from "../package/mirror";
import type { RunTool } from "./run-command";

export interface UserConfiguration {
  readonly path: string;
  readonly text: string;
}

/**
 * Returns the existing files that Terraform (or OpenTofu) would read: the file in TF_CLI_CONFIG_FILE, otherwise the file in
 * the home folder and the `*.tfrc` files next to the plugin folder. Terraform reads the credentials of `terraform login` in
 * any case.
 */
export async function userConfigurations(
  around: CommandEnvironment,
  tool: "terraform" | "tofu",
): Promise<readonly UserConfiguration[]> {
  const named = namedConfiguration(around);
  const files = named === undefined ? await homeFiles(around, tool) : [named];
  const read = await Promise.all(files.map(readConfiguration));
  return read.filter((file) => file !== undefined);
}

/** Returns the file in the environment, which may not exist. */
function namedConfiguration({ env }: CommandEnvironment): string | undefined {
  return [env["TF_CLI_CONFIG_FILE"], env["TERRAFORM_CONFIG"]].find(
    (path) => path !== undefined && path !== "",
  );
}

async function homeFiles(
  around: CommandEnvironment,
  tool: "terraform" | "tofu",
): Promise<string[]> {
  const windows = around.platform === "win32";
  const folder = windows ? (around.env["APPDATA"] ?? around.home) : around.home;
  const [own, shared] = windows ? ["tofu.rc", "terraform.rc"] : [".tofurc", ".terraformrc"];
  const candidates = [own, shared].map((name) => join(folder, name));
  const [tofuFile = "", terraformFile = ""] = candidates;
  const main =
    tool === "tofu" && (await readConfiguration(tofuFile)) !== undefined ? tofuFile : terraformFile;
  const extra = join(folder, windows ? "terraform.d" : ".terraform.d");
  const names = await readdir(extra).catch(() => []);
  const more = names.filter((name) => name.endsWith(".tfrc")).sort();
  return [main, ...more.map((name) => join(extra, name))];
}

async function readConfiguration(path: string): Promise<UserConfiguration | undefined> {
  try {
    return { path, text: await readFile(path, "utf8") };
  } catch {
    return undefined;
  }
}

/**
 * Returns Terraform's errors about a CLI configuration file, on one line; undefined if Terraform accepts the file, or if the
 * tool cannot be run.
 *
 * Terraform continues with a broken configuration, but does not find the providers in its mirrors. It would also report the
 * path of our temporary file.
 */
export async function configurationProblem(
  path: string,
  tool: string,
  run: RunTool,
): Promise<string | undefined> {
  const outcome = await run(tool, ["version"], { TF_CLI_CONFIG_FILE: path });
  if (outcome.kind === "missing") return undefined;
  const [, errors] = /Error: ([^]*?)(?:As a result of the above|$)/.exec(outcome.stderr) ?? [];
  return errors?.replaceAll(/[╷│╵\s]+/g, " ").trim();
}

interface CliConfiguration {
  readonly text: string;
  readonly warnings: readonly string[];
}

/**
 * Creates a Terraform CLI configuration that takes our providers only from mirrors, and keeps the user's other settings.
 *
 * Terraform accepts one `provider_installation` block. If the user has one, the mirrors are added to it, and its other methods
 * exclude our providers: an unreachable method would make the whole search fail.
 *
 * @see https://developer.hashicorp.com/terraform/cli/config/config-file#provider-installation
 */
export function cliConfiguration(
  mirrors: readonly string[],
  user: readonly UserConfiguration[],
): CliConfiguration {
  const warnings: string[] = [];
  const parts: string[] = [];
  let merged = false;
  for (const { path, text } of user) {
    if (text.trimStart().startsWith("{")) {
      warnings.push(
        `${path} is in JSON and is ignored: its settings do not apply to this command.`,
      );
      continue;
    }
    const own = blocksIn(text).find(({ name }) => name === "provider_installation");
    parts.push(`# From ${path}\n${own === undefined ? text : withMirrors(text, own, mirrors)}`);
    merged ||= own !== undefined;
  }
  if (!merged) parts.unshift(installation(mirrors));
  return { text: `${parts.join("\n\n")}\n`, warnings };
}

function installation(mirrors: readonly string[]): string {
  return `provider_installation {
${mirrors.map(mirrorMethod).join("\n")}
  direct {
    exclude = ["${providerPattern}"]
  }
}`;
}

function mirrorMethod(mirror: string): string {
  return `  filesystem_mirror {
    path    = ${JSON.stringify(mirror)}
    include = ["${providerPattern}"]
  }`;
}

function withMirrors(text: string, own: BodyItem, mirrors: readonly string[]): string {
  let result = text;
  // In reverse, so that the offsets stay valid.
  for (const method of [...blocksIn(text, own)].reverse()) {
    if (method.name === "dev_overrides") continue;
    result = withExclusion(result, method);
  }
  const { start: at } = own;
  return `${result.slice(0, at)}\n${mirrors.map(mirrorMethod).join("\n")}${result.slice(at)}`;
}

function withExclusion(text: string, { start, end }: BodyItem): string {
  const body = codeOf(text, "expression").slice(start, end);
  const list = /\bexclude\s*=\s*\[/.exec(body);
  const at = start + (list === null ? 0 : list.index + list[0].length);
  const added = list === null ? ` exclude = ["${providerPattern}"]\n` : `"${providerPattern}", `;
  return text.slice(0, at) + added + text.slice(at);
}
