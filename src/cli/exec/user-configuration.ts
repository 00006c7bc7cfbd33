import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { CommandEnvironment } from "../invocation/command-environment";
import type { RunTool } from "../invocation/run-tool";

export interface UserConfiguration {
  readonly path: string;
  readonly text: string;
}

/**
 * Returns the files that Terraform (or OpenTofu) would read: the file that TF_CLI_CONFIG_FILE names,
 * otherwise the file in the home folder and the `*.tfrc` files next to the plugin folder. Files that do not
 * exist are left out. Terraform reads the credentials of `terraform login` in any case.
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

/** Returns the file that the environment names, even if it does not exist. */
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
 * Returns Terraform's report about a CLI configuration file, on one line; undefined if Terraform accepts the
 * file, or if the tool cannot be run.
 *
 * Terraform continues with a broken configuration, without the providers that it names. A merged
 * configuration would also be reported under the name of our temporary file.
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
