import { spawnSync } from "node:child_process";

/**
 * The ids of the providers whose environment names a folder: Terraform starts them by a relative
 * path, so their command lines do not tell whose they are.
 */
export function providerProcesses(folder: string): readonly number[] {
  const { stdout } = spawnSync("ps", ["axeww", "-o", "pid=,command="], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout
    .split("\n")
    .filter(
      (line) =>
        line.includes(folder) &&
        /provider\.cjs|terraform-provider-(ids|workspace|signing)/.test(line),
    )
    .map((line) => Number.parseInt(line, 10));
}
