// @ts-check
import { spawnSync } from "node:child_process";
import { loadSource } from "./source.mjs";

/** @type {{ terraformVersion: (printed: string) => string | undefined }} */
const { terraformVersion } = await loadSource("src/cli/doctor/tool-checks.ts");

/**
 * The version of a tool; undefined if it is not on PATH.
 *
 * @param {"terraform" | "tofu"} tool
 */
export function toolVersion(tool) {
  const env = { ...process.env, CHECKPOINT_DISABLE: "1" };
  const { stdout, status } = spawnSync(tool, ["version", "-json"], { env, encoding: "utf8" });
  return status === 0 ? terraformVersion(stdout) : undefined;
}

/** Exits if terraform is missing, since these scripts need it. @returns its version */
export function requireTerraform() {
  const version = toolVersion("terraform");
  if (version !== undefined) return version;
  console.error(
    "terraform is not on PATH. Install Terraform 1.5 or newer (https://developer.hashicorp.com/terraform/install) and run this again.",
  );
  return process.exit(1);
}
