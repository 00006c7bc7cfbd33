import { Command } from "commander";
import type { ProjectOptions } from "../init/new-project";
import { CommandError, ExitCode } from "../invocation/failure";
import { withProjectOptions } from "./options";

interface Options extends ProjectOptions {
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

async function newProvider(givenName: string, folder: string, options: Options): Promise<void> {
  const { checkedProviderName } = await import("../pack/provider-address.js");
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
  const { providerAddress } = await import("../pack/provider-address.js");
  const address = providerAddress(given ?? `example.com/acme/${name}`);
  if (address.name === name) return address.source;
  throw new CommandError(
    `The option --source has the value ${JSON.stringify(given)}, but the provider's name is ${JSON.stringify(name)}.`,
    `A source address ends with the provider's name: write ${given?.replace(/[^/]*$/, name) ?? name}.`,
    ExitCode.usage,
  );
}
