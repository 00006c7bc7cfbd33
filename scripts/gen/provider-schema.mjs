// @ts-check
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { writeOwnPackage } from "../build/own-package.mjs";
import { loadSource } from "../source.mjs";

const run = promisify(execFile);

/**
 * The schemas that the real terraform reads from the real providers over the real protocol: the output
 * of `terraform providers schema -json`.
 *
 * @param {{ folder: string, version: string,
 *   providers: readonly { name: string, source: string }[] }} options
 *   `folder` is an empty folder for the mirror and the configuration
 * @returns {Promise<import("@cdktf/commons").ProviderSchema>}
 */
export async function providerSchemas({ folder, version, providers }) {
  const mirror = join(folder, "mirror");
  const { terraformPlatform } = await loadSource("src/cli/package/platform.ts");
  for (const { name, source } of providers) {
    await writeOwnPackage(join(mirror, source, version, terraformPlatform()), { name, version });
  }
  const { cliConfiguration } = await loadSource("src/cli/exec/cli-configuration.ts");
  const configuration = join(folder, "terraform.rc");
  await writeFile(configuration, cliConfiguration([mirror], []).text);

  const module = join(folder, "module");
  await mkdir(module);
  const required = providers.map(({ name, source }) => [name, { source, version }]);
  await writeFile(
    join(module, "main.tf.json"),
    JSON.stringify({ terraform: { required_providers: Object.fromEntries(required) } }),
  );
  const env = { ...process.env, TF_CLI_CONFIG_FILE: configuration, CHECKPOINT_DISABLE: "1" };
  const options = { cwd: module, env, maxBuffer: 1 << 28 };
  await run("terraform", ["init", "-no-color", "-input=false"], options);
  const { stdout } = await run("terraform", ["providers", "schema", "-json"], options);
  return JSON.parse(stdout);
}
