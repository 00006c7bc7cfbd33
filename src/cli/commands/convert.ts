import { Command, Option } from "commander";
import { libraries, projectProducts } from "../init/project-kind";
import type { ConvertOptions } from "../convert/command";
import { withProjectOptions } from "./options";

/** `trivet convert`: writes a project with constructs for a configuration in HCL. */
export function convertCommand(): Command {
  const names = (choices: readonly { readonly name: string }[]) => choices.map(({ name }) => name);
  const command = new Command("convert")
    .summary("turn a configuration in HCL into constructs")
    .description(
      "Writes a project that synthesizes the same as a configuration in HCL: a template for coder, " +
        "endpoints of Google's provider, or copies, signatures and attestations of cosign's provider.",
    )
    .argument("<folder>", "the folder with the configuration, which stays as it is")
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
