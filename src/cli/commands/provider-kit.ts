import { Command } from "commander";
import type { ProjectOptions } from "../init/new-project";
import { CommandError, ExitCode, print, printError, printJson } from "../invocation/failure";
import type { Packed } from "../pack/pack-provider";
import { withProjectOptions } from "./options";

interface NewOptions extends ProjectOptions {
  readonly source?: string;
}

/** `trivet-provider new`: writes the project of a provider. */
export function newProviderCommand(): Command {
  const command = new Command("new")
    .summary("create a Terraform provider in TypeScript")
    .description(
      "Writes a small, complete provider into an empty or new folder: a resource, a test with " +
        "the real Terraform, a benchmark, and a script that packs a release.",
    )
    .argument("<name>", "name of the provider, such as notes")
    .argument("[folder]", "where to write the project", ".")
    .option("--source <address>", "its source address (default: example.com/acme/<name>)");
  return withProjectOptions(command)
    .addHelpText(
      "after",
      `
The resource of the provider is a note, which is a file in a folder: it needs no
service. Replace it with your own. No file is ever overwritten.

Examples:
  trivet-provider new notes
  trivet-provider new notes terraform-provider-notes --source acme/notes`,
    )
    .action(newProvider);
}

async function newProvider(givenName: string, folder: string, options: NewOptions): Promise<void> {
  const { checkedProviderName } = await import("../pack/options.js");
  const { providerFiles } = await import("../init/project-files.js");
  const { NewProject } = await import("../init/new-project.js");

  const name = checkedProviderName(givenName);
  const source = await sourceOf(name, options.source);
  const project = new NewProject(
    folder,
    { folder: "provider", uses: "@trivet/provider-kit" },
    options,
  );
  const { templates, versions } = project;
  const files = providerFiles({ name, source, templates, versions });
  const next = "The README.md of the project says how to change, pack and publish it.";
  await project.write(files, { name, source }, next);
}

async function sourceOf(name: string, given: string | undefined): Promise<string> {
  const { providerAddress } = await import("../pack/options.js");
  const address = providerAddress(given ?? `example.com/acme/${name}`);
  if (address.name === name) return address.source;
  throw new CommandError(
    `The option --source has the value ${JSON.stringify(given)}, but the provider's name is ${JSON.stringify(name)}.`,
    `A source address ends with the provider's name: write ${given?.replace(/[^/]*$/, name) ?? name}.`,
    ExitCode.usage,
  );
}

interface PackOptions {
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

async function pack(main: string, options: PackOptions): Promise<void> {
  const { packProvider } = await import("../pack/pack-provider.js");
  const { requestedPlatforms } = await import("../pack/options.js");
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
