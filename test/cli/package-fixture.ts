import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BuiltPackage } from "../../src/cli/package/built-package";

/** Writes a package of a provider that prints its version, as the build does. */
export function writeBuiltPackage(
  root: string,
  { version, body = "exit 0" }: { readonly version: string; readonly body?: string },
): BuiltPackage {
  const folder = join(root, "dist", "providers", "ids");
  const executable = `terraform-provider-ids_v${version}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, executable), `#!/bin/sh\n${body}\n`, { mode: 0o644 });
  writeFileSync(join(folder, "provider.cjs"), "process.exit(0);\n");
  writeFileSync(join(folder, "..", "versions.json"), JSON.stringify({ ids: version }));
  return { name: "ids", version, folder, executable };
}
