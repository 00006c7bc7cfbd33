import { Command } from "commander";
import { newProviderCommand, packCommand } from "./commands/provider-kit";
import { providerExitCodesHelp } from "./invocation/failure";
import { withCommonHelp } from "./invocation/run-program";
import { ownPackage } from "../core/process/package-root";

/** Creates the `trivet-provider` command of the provider kit, with all its subcommands. */
export function createProviderProgram(): Command {
  const program = new Command("trivet-provider")
    .description("Creates and packs Terraform providers that are written with the provider kit.")
    .version(ownPackage().version, "-V, --version", "print the version")
    .addHelpText(
      "after",
      `
Examples:
  trivet-provider new notes                a new provider
  trivet-provider pack src/main.ts --help  pack it for registries and mirrors
${providerExitCodesHelp}`,
    )
    .addCommand(newProviderCommand())
    .addCommand(packCommand());
  return withCommonHelp(program);
}
