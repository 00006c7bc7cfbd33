import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildWhenStale, isNewer, root } from "../e2e/support/build";
import { startCommand, succeeded } from "../e2e/support/command";
import { onlyOnce } from "../e2e/support/only-once";
import { projectWith } from "./project-with";

/** The folders of our packages in the checkout. */
const folders = { constructs: ".", "provider-kit": "./dist/packages/provider-kit" };

export type Packed = keyof typeof folders;

beforeAll(async () => {
  await buildWhenStale();
  await packWhenStale();
});

/** Packs our packages for all test files. */
function packWhenStale(): Promise<void> {
  const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly files: readonly string[];
  };
  const content = files.filter((path) => !path.startsWith("!"));
  const sources = ["package.json", "README.md", "LICENSE", ...content, "dist/packages"];
  const lock = join(root, "node_modules", ".trivet-packed");
  return onlyOnce(
    lock,
    () => isNewer(packedTarball("provider-kit"), sources),
    async () => {
      const folder = dirname(packedTarball());
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
      const options = { cwd: root, env: process.env };
      for (const [name, path] of Object.entries(folders)) {
        const { stdout } = await succeeded(
          "npm pack",
          startCommand("npm", [...pack, path], options),
        );
        const [packed] = JSON.parse(stdout) as [{ readonly filename: string }];
        renameSync(join(folder, packed.filename), packedTarball(name as Packed));
      }
    },
  );
}

/** A packed package of ours. */
export function packedTarball(name: Packed = "constructs"): string {
  return join(root, "dist", "packed", `${name}.tgz`);
}

/** A project with a packed package of ours, and with others of this checkout: see {@link projectWith}. */
export function packedProject(packages: readonly string[], name?: Packed): string {
  return projectWith(packedTarball(name), packages);
}

/** Writes files into a project, by their path in it. */
export function writeFiles(project: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(project, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/**
 * Each script of a project compiles it first, which takes longer than all the rest. Here, the compiler
 * stops at once when no source has changed since it last ran: the first script of a project compiles it.
 */
export function compileOnlyChanges(folder: string): void {
  const command = join(folder, "node_modules", ".bin", "tsc");
  const compiler = join(folder, "node_modules", "typescript", "bin", "tsc");
  rmSync(command);
  writeFileSync(command, `#!/bin/sh\nexec node '${compiler}' -b "$@"\n`, { mode: 0o755 });
}
