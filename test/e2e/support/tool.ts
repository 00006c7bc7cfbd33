import { spawnSync } from "node:child_process";

/** A command line tool that runs our providers. */
export type Tool = "terraform" | "tofu";

/** The version of a tool, or undefined when it is not on PATH. */
export function toolVersion(tool: Tool): string | undefined {
  const env = { ...process.env, CHECKPOINT_DISABLE: "1" };
  const { status, stdout } = spawnSync(tool, ["version", "-json"], { env, encoding: "utf8" });
  // Warnings can be around the JSON, such as about a missing configuration.
  return status === 0 ? /"terraform_version":\s*"([^"]+)"/.exec(stdout)?.[1] : undefined;
}

/** The tools with which the tests run: terraform, and tofu if it is on PATH. */
export const tools: readonly Tool[] = findTools();

function findTools(): readonly Tool[] {
  if (toolVersion("terraform") === undefined) {
    throw new Error(
      "terraform is not on PATH. Install Terraform 1.5 or newer " +
        "(https://developer.hashicorp.com/terraform/install) and run this again.",
    );
  }
  return toolVersion("tofu") === undefined ? ["terraform"] : ["terraform", "tofu"];
}
