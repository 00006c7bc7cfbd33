// @ts-check
import { spawnSync } from "node:child_process";

/**
 * The version of a tool; undefined if it is not on PATH.
 *
 * @param {"terraform" | "tofu"} tool
 */
export function toolVersion(tool) {
  const env = { ...process.env, CHECKPOINT_DISABLE: "1" };
  const { stdout, status } = spawnSync(tool, ["version", "-json"], { env, encoding: "utf8" });
  // Warnings can be around the JSON, such as about a missing configuration.
  return status === 0 ? /"terraform_version":\s*"([^"]+)"/.exec(stdout)?.[1] : undefined;
}

/** Exits if terraform is missing. @returns its version */
export function requireTerraform() {
  const version = toolVersion("terraform");
  if (version !== undefined) return version;
  console.error(
    "terraform is not on PATH. Install Terraform 1.5 or newer (https://developer.hashicorp.com/terraform/install) and run this again.",
  );
  return process.exit(1);
}
