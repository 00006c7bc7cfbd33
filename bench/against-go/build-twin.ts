import { execFileSync, spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";

/** The provider in Go, built. */
export interface Twin {
  readonly executable: string;
  readonly sizeMb: number;
  /** Such as `go1.26.0 with terraform-plugin-framework v1.19.0`. */
  readonly madeWith: string;
}

const framework = "github.com/hashicorp/terraform-plugin-framework";

/**
 * Builds the provider in Go, which downloads the framework unless it is cached.
 *
 * @param source the folder with the twin's source
 * @param folder where to write the executable
 * @throws Error when Go is not on PATH
 */
export function buildTwin(source: string, folder: string): Twin {
  if (spawnSync("go", ["version"], { stdio: "ignore" }).error !== undefined) {
    throw new Error(
      "--against-go needs Go, but `go` is not on PATH. Install it from https://go.dev/dl/.",
    );
  }
  const executable = join(folder, "terraform-provider-ids-twin");
  const go = (...args: readonly string[]): string =>
    execFileSync("go", args, {
      cwd: source,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
  // Without symbols, as providers are released.
  go("build", "-trimpath", "-ldflags=-s -w", "-o", executable, ".");
  const version = go("list", "-m", "-f", "{{.Version}}", framework).trim();
  return {
    executable,
    sizeMb: statSync(executable).size / 2 ** 20,
    madeWith: `${go("env", "GOVERSION").trim()} with terraform-plugin-framework ${version}`,
  };
}
