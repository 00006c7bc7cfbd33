import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buildWhenStale, root } from "../e2e/support/build";
import { projectWith } from "./project-with";

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

/** A project with the packed package, and with other packages of this checkout: see {@link projectWith}. */
export function packedProject(packages: readonly string[]): string {
  return projectWith(packedTarball(), packages);
}

/** Writes files into a project, by their path in it. */
export function writeFiles(project: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(project, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
