import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildWhenStale, root } from "./build";
import { startCommand, succeeded } from "./command";

/** The providers of this build, in a separate mirror. */
interface Installation {
  readonly mirror: string;
  /** A CLI configuration with this mirror and no registry. */
  readonly cliConfiguration: string;
  /** The version of the ids provider that a configuration must require. */
  readonly version: string;
  /** The version of the workspace provider. */
  readonly workspaceVersion: string;
  /** The version of the signing provider. */
  readonly signingVersion: string;
}

let current: Installation | undefined;
const folder = mkdtempSync(join(tmpdir(), "trivet-e2e-"));

beforeAll(async () => {
  await buildWhenStale();
  const mirror = join(folder, "mirror");
  const version = await install(root, mirror);
  const { workspace: workspaceVersion, signing: signingVersion } = versionsOf(root);
  const cliConfiguration = join(folder, "terraform.rc");
  writeFileSync(
    cliConfiguration,
    `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(mirror)}\n  }\n}\n`,
  );
  current = { mirror, cliConfiguration, version, workspaceVersion, signingVersion };
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The installation that the tests of a file share. */
export function installation(): Installation {
  if (current === undefined) throw new Error("the providers are installed before the first test");
  return current;
}

/**
 * Installs a package into a mirror with `trivet install`.
 *
 * @returns the version of the ids provider
 */
export async function install(packageRoot: string, mirror: string): Promise<string> {
  const trivet = join(packageRoot, "dist", "src", "cli", "main.js");
  const args = [trivet, "install", "--dir", mirror];
  const options = { cwd: packageRoot, env: process.env };
  await succeeded("trivet install", startCommand(process.execPath, args, options));
  return versionsOf(packageRoot).ids;
}

type Versions = Readonly<Record<"ids" | "workspace" | "signing", string>>;

function versionsOf(packageRoot: string): Versions {
  const versions = join(packageRoot, "dist", "providers", "versions.json");
  return JSON.parse(readFileSync(versions, "utf8")) as Versions;
}
