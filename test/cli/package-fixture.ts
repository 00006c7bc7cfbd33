import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseTrustedJson } from "../../src/core/json/plain-json";
import type { BuiltPackage } from "../../src/cli/package/built-package";

interface Written {
  /** @default "ids" */
  readonly name?: string;
  readonly version: string;
  /** The script that is the provider. */
  readonly body?: string;
}

/** Writes a package of a provider that prints its version, as the build does. */
export function writeBuiltPackage(
  root: string,
  { name = "ids", version, body = "exit 0" }: Written,
): BuiltPackage {
  const folder = join(root, "dist", "providers", name);
  const executable = `terraform-provider-${name}_v${version}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, executable), `#!/bin/sh\n${body}\n`, { mode: 0o644 });
  writeFileSync(join(folder, "provider.cjs"), "process.exit(0);\n");
  const list = join(folder, "..", "versions.json");
  const others = existsSync(list) ? parseTrustedJson(readFileSync(list, "utf8")) : {};
  writeFileSync(list, JSON.stringify(Object.assign({}, others, { [name]: version })));
  return { name, version, folder, executable };
}
