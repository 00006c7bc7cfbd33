import type { RunTool } from "../invocation/run-tool";

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
