import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "../cli/temporary-folder";
import { root } from "../e2e/support/build";

/** What this package always brings along. */
const dependencies = ["commander", "zod"];

/**
 * A new folder with a packed package installed, as a copy of its own, and with other packages of this
 * checkout. It has no other folder with packages above it.
 */
export function projectWith(tarball: string, packages: readonly string[]): string {
  const project = temporaryFolder();
  const own = nameIn(tarball);
  const installed = join(project, "node_modules", own);
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "--strip-components=1", "-C", installed]);
  for (const name of [...dependencies, ...packages]) {
    const link = join(project, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, "node_modules", name), link);
  }
  for (const name of [own, ...packages]) linkCommands(project, name);
  return project;
}

function nameIn(tarball: string): string {
  const manifest = execFileSync("tar", ["-xzOf", tarball, "package/package.json"]).toString();
  return (JSON.parse(manifest) as { readonly name: string }).name;
}

/** Puts the commands of an installed package where npm finds them. */
function linkCommands(project: string, name: string): void {
  const modules = join(project, "node_modules");
  const manifest = JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8")) as {
    readonly bin?: string | Readonly<Record<string, string>>;
  };
  const { bin = {} } = manifest;
  for (const [command, file] of Object.entries(typeof bin === "string" ? { [name]: bin } : bin)) {
    const target = join(modules, name, file);
    if (name.startsWith("@trivet/")) chmodSync(target, 0o755);
    mkdirSync(join(modules, ".bin"), { recursive: true });
    symlinkSync(target, join(modules, ".bin", command));
  }
}
