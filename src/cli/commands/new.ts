import { join, resolve } from "node:path";
import { Command } from "commander";
import { CommandError } from "../invocation/command-error";
import { ExitCode } from "../invocation/exit-code";
import { printJson } from "../invocation/failure";

interface Options {
  readonly source?: string;
  readonly package?: string;
  readonly json?: true;
}

/** `trivet new`: writes what people extend Terraform with. `trivet init` is for stacks. */
export function newCommand(): Command {
  return new Command("new")
    .summary("create a provider of yours")
    .description("Writes the project of something that extends Terraform.")
    .addCommand(newProviderCommand());
}

function newProviderCommand(): Command {
  return new Command("provider")
    .summary("a Terraform provider in TypeScript")
    .description(
      "Writes a small, complete provider into an empty or new folder: a resource, a test with " +
        "the real Terraform, a benchmark, and a script that packs a release.",
    )
    .argument("<name>", "name of the provider, such as notes")
    .argument("[folder]", "where to write the project", ".")
    .option("--source <address>", "its source address (default: example.com/acme/<name>)")
    .option(
      "--package <version|file>",
      "the trivet that the project installs (default: from where this one was installed)",
    )
    .option("--json", "print what was written as JSON")
    .addHelpText(
      "after",
      `
The resource of the provider is a note, which is a file in a folder: it needs no
service. Replace it with your own. No file is ever overwritten.

Examples:
  trivet new provider notes
  trivet new provider notes terraform-provider-notes --source acme/notes`,
    )
    .action(newProvider);
}

async function newProvider(givenName: string, folder: string, options: Options): Promise<void> {
  const { checkedProviderName } = await import("../init/provider-name.js");
  const { providerFiles } = await import("../init/provider-files.js");
  const { packageVersions } = await import("../init/package-versions.js");
  const { packageSource } = await import("../init/package-source.js");
  const { writeProject } = await import("../init/write-project.js");
  const { created } = await import("../init/created.js");
  const { packageRoot, packageVersion } = await import("../package/package-root.js");
  const { commandEnvironment } = await import("../invocation/command-environment.js");

  const name = checkedProviderName(givenName);
  const source = await sourceOf(name, options.source);
  const { workingFolder } = commandEnvironment();
  const project = resolve(workingFolder, folder);
  const installed = { root: packageRoot(), version: packageVersion() };
  const trivet = packageSource(options.package, { project, workingFolder, installed });
  const versions = { ...packageVersions(installed.root), trivet };
  const templates = join(installed.root, "templates", "provider");
  const files = providerFiles({ name, source, templates, versions });
  await writeProject(project, files);
  const paths = [...files.keys()];
  if (options.json === true) {
    printJson({ folder: project, name, source, package: trivet, files: paths });
    return;
  }
  console.log(created(project, paths, workingFolder));
  console.log("\nThe README.md of the project says how to change, pack and publish it.");
}

/** The source address of a provider, which ends with its name. */
async function sourceOf(name: string, given: string | undefined): Promise<string> {
  const { providerAddress } = await import("../pack/provider-address.js");
  const address = providerAddress(given ?? `example.com/acme/${name}`);
  if (address.name === name) return address.source;
  throw new CommandError(
    `The option --source has the value ${JSON.stringify(given)}, but the provider's name is ${JSON.stringify(name)}.`,
    `A source address ends with the provider's name: write ${given?.replace(/[^/]*$/, name) ?? name}.`,
    ExitCode.usage,
  );
}
