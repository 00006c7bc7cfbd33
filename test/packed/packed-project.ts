import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buildWhenStale, root } from "../e2e/support/build";

const folder = mkdtempSync(join(tmpdir(), "trivet-packed-"));
let tarball: string | undefined;

beforeAll(async () => {
  await buildWhenStale();
  const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const [packed] = JSON.parse(execFileSync("npm", pack, { cwd: root, encoding: "utf8" })) as [
    { filename: string },
  ];
  tarball = join(folder, packed.filename);
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The packed package. */
export function packedTarball(): string {
  if (tarball === undefined) throw new Error("the package is packed for tests only");
  return tarball;
}

/** What this package always brings along. */
const dependencies = ["commander", "zod"];

/**
 * A new folder with the packed package installed, as a copy of its own, and with other packages of this
 * checkout. It has no other folder with packages above it.
 */
export function packedProject(packages: readonly string[]): string {
  const project = mkdtempSync(join(folder, "project-"));
  const installed = join(project, "node_modules", "trivet");
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", packedTarball(), "--strip-components=1", "-C", installed]);
  for (const name of [...dependencies, ...packages]) {
    const link = join(project, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, "node_modules", name), link);
  }
  for (const name of ["trivet", ...packages]) linkCommands(project, name);
  return project;
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
    if (name === "trivet") chmodSync(target, 0o755);
    mkdirSync(join(modules, ".bin"), { recursive: true });
    symlinkSync(target, join(modules, ".bin", command));
  }
}

/** Writes files into a project, by their path in it. */
export function writeFiles(project: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(project, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
