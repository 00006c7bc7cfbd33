import { Command, Option } from "commander";
import type { ConvertOptions } from "../convert/command";
import type { ImportOptions } from "../import/command";
import { libraries, projectProducts } from "../init/project-kind";
import { repeated, wholeNumber, withProjectOptions } from "./options";

/** `trivet import`: writes constructs for resources that exist. */
export function importCommand(): Command {
  return new Command("import")
    .summary("write constructs for resources that exist")
    .description(
      "Lists the resources of a type with their provider, and writes TypeScript that creates a construct for " +
        "each. The next deployment imports them, and changes nothing.",
    )
    .argument("<type>", "the type of the resources, such as ids_endpoint")
    .argument("[filters...]", "name=value: which resources, as the provider's list takes them")
    .option("--out <file>", "the file to write; standard output by default")
    .option("--stack <name>", "the stack that has the provider's settings")
    .option("--alias <name>", "the alias of the provider in that stack")
    .option("--limit <number>", "the greatest number of resources", wholeNumber(), 1000)
    .option("--var <name=value>", "a variable of the stacks; can be repeated", repeated)
    .option("--var-file <file>", "a JSON file with variables; can be repeated", repeated)
    .addHelpText(
      "after",
      `
The provider runs in this process, with the settings that the stacks of the
project give it, or with its environment variables if they give none. The code
leaves out values that the provider would choose itself. Resources that a stack
imports, or that are in its local state, are left out.

Works with the providers of this package and of the project that list
resources, and with Terraform 1.5 and OpenTofu 1.6, or newer.

Examples:
  trivet import ids_endpoint --out endpoints.ts
  trivet import ids_endpoint location=us-central1-f
  trivet import ids_endpoint 'filter=severity = "HIGH"' --limit 20`,
    )
    .action(async (type: string, filters: readonly string[], options: ImportOptions) => {
      const { runImport } = await import("../import/command.js");
      await runImport(type, filters, options);
    });
}

/** `trivet convert`: writes a project with constructs for a configuration in HCL. */
export function convertCommand(): Command {
  const names = (choices: readonly { readonly name: string }[]) => choices.map(({ name }) => name);
  const command = new Command("convert")
    .summary("turn a configuration in HCL into constructs")
    .description(
      "Writes a project that synthesizes the same as a configuration in HCL: a template for coder, " +
        "endpoints of Google's provider, or copies, signatures and attestations of cosign's provider.",
    )
    .argument("<folder>", "the folder with the configuration, which is not changed")
    .argument("[project]", "an empty or new folder (default: ./NAME-project)")
    .addOption(
      new Option("--library <name>", "the library of the project (default: cdktf)").choices(
        names(libraries),
      ),
    )
    .addOption(
      new Option("--product <name>", "the platform of a template (default: its own)").choices(
        names(projectProducts),
      ),
    );
  return withProjectOptions(command)
    .addHelpText(
      "after",
      `
Resources, data sources, variables, locals, outputs and modules of registries
become constructs, with the same names in Terraform. Everything else stays in
HCL, in the folder "hcl" of the project, and is listed with file and line. The
stack includes these files.

The constructs of endpoints and signatures take over the state of what is
deployed. A template for coder stays one, unless there is --product trivet.

Examples:
  trivet convert ./template
  trivet convert ./network ./network-in-typescript --library cdktn`,
    )
    .action(async (folder: string, project: string | undefined, options: ConvertOptions) => {
      const { runConvert } = await import("../convert/command.js");
      await runConvert(folder, project, options);
    });
}
