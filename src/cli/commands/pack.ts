import { Command } from "commander";
import { print, printError, printJson } from "../invocation/failure";
import type { Packed } from "../pack/pack-provider";

interface Options {
  readonly source: string;
  readonly providerVersion?: string;
  readonly out: string;
  readonly platform?: readonly string[];
  readonly compile?: readonly string[] | true;
  readonly permit?: readonly string[];
  readonly gpgKey?: string;
  readonly force?: true;
  readonly json?: true;
}

/** `trivet-provider pack`: creates the files of a release of a provider that uses the provider kit. */
export function packCommand(): Command {
  return new Command("pack")
    .summary("pack a provider for registries and mirrors")
    .description(
      "Bundles a provider that was written with @trivet/provider-kit, and writes what a registry and " +
        "a mirror need: a zip file for each platform, the checksums and their signature.",
    )
    .argument("<main>", "the module that calls `serve`, such as src/main.ts")
    .requiredOption("--source <address>", "its source address, such as example.com/acme/notes")
    .option("--provider-version <version>", "its version (default: that in package.json)")
    .option("--out <folder>", "where to write", "release")
    .option(
      "--platform <os_arch...>",
      "the platforms (default: darwin and linux, on amd64 and arm64)",
    )
    .option(
      "--compile [os_arch...]",
      "the platforms whose package is an executable that needs no Node.js (without a value: all)",
    )
    .option(
      "--permit <licence...>",
      "bundle packages with these licences as well (SPDX, such as MPL-2.0), or single packages as NAME@VERSION " +
        "(default: permissive licences)",
    )
    .option("--gpg-key <key>", "sign the checksums with this key of GnuPG (default: no signature)")
    .option("--force", "replace a release of the same version whose content differs")
    .option("--json", "print what was packed as JSON")
    .addHelpText(
      "after",
      `
Needs esbuild: \`npm install --save-dev esbuild\`. The same sources give the same
bytes. The packed provider is started once, to see that it works.

An executable contains Bun, which npm downloads, and has about 110 MB. Terraform
on Windows can start nothing else.

Each package contains the licences of what was bundled, in THIRD-PARTY-LICENSES.

  <out>/registry/<version>/  the files of a release, for a registry
  <out>/mirror/              a network mirror for any web server, which is a
                             filesystem mirror as well

Examples:
  trivet-provider pack src/main.ts --source example.com/acme/notes
  trivet-provider pack src/main.ts --source acme/notes --gpg-key me@acme.example
  trivet-provider pack src/main.ts --source acme/notes --compile windows_amd64
  terraform init -plugin-dir=release/mirror`,
    )
    .action(pack);
}

async function pack(main: string, options: Options): Promise<void> {
  const { packProvider } = await import("../pack/pack-provider.js");
  const { requestedPlatforms } = await import("../pack/requested-platforms.js");
  const { ownPackage } = await import("../../core/process/package-root.js");
  const { commandEnvironment } = await import("../invocation/command-environment.js");
  const packed = await packProvider(
    {
      main,
      source: options.source,
      version: options.providerVersion,
      out: options.out,
      platforms: requestedPlatforms(options.platform, options.compile),
      permitted: options.permit ?? [],
      gpgKey: options.gpgKey,
      force: options.force ?? false,
      minimumNode: ownPackage().minimumNode,
    },
    commandEnvironment(),
  );
  for (const warning of packed.warnings) printError(`warning: ${warning}`);
  if (options.json === true) printJson(packed);
  else print(describe(packed));
}

function describe({ name, version, source, registry, mirror, files, signature }: Packed): string {
  const checksums = files.find((file) => file.endsWith("SHA256SUMS")) ?? "";
  return [
    `${name} ${version} packed (${source})`,
    `  registry: ${registry}`,
    ...[...files].sort().map((file) => `    ${file}`),
    signature === undefined
      ? `  not signed: a registry needs ${checksums}.sig, which --gpg-key makes`
      : `    ${checksums}.sig`,
    `  mirror: ${mirror}`,
    `\nNext: \`terraform init -plugin-dir=${mirror}\` tries it in a configuration.`,
  ].join("\n");
}
