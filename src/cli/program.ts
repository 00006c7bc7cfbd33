import { Command } from "commander";
import { checkCommand, languageServerCommand } from "./commands/check";
import { convertCommand, importCommand } from "./commands/constructs";
import { completionCommand, doctorCommand, explainCommand } from "./commands/help";
import { initCommand } from "./commands/init";
import { localCommand } from "./commands/local";
import { execCommand, installCommand } from "./commands/providers";
import { signingCommand } from "./commands/signing";
import {
  deployCommand,
  destroyCommand,
  planCommand,
  watchCommand,
  synthCommand,
} from "./commands/stacks";
import { verifyCommand } from "./commands/verify";
import { exitCodesHelp } from "./invocation/failure";
import { withCommonHelp } from "./invocation/run-program";
import { ownPackage } from "../core/process/package-root";

/** Creates the `trivet` command with all its subcommands. */
export function createProgram(): Command {
  const program = new Command("trivet")
    .description(
      "Creates projects with the Trivet providers for Terraform and OpenTofu, deploys their stacks, " +
        "and runs tools with the providers.",
    )
    .version(ownPackage().version, "-V, --version", "print the version")
    .enablePositionalOptions()
    .addHelpText(
      "after",
      `
Examples:
  trivet init                      a new project with a first stack
  trivet check                     what a deployment would change
  trivet deploy                    deploy the stack of a project
  trivet import ids_endpoint       write constructs for what exists
  trivet convert ./template        turn HCL into constructs
  trivet exec -- cdktf deploy      run cdktf so that it finds the providers
  trivet install                   install them where Terraform looks by default
  trivet local ids --port 8080     a local intrusion detection service
  trivet local signing             a local registry and services for signing
  trivet local workspace --help    build workspaces as the platform does
  trivet verify IMAGE --policy F   does a policy accept an image, and why
  trivet explain CODE              what the code of a message means
  trivet signing tree IMAGE        who signed what of an image, and when
  trivet doctor                    find problems and how to fix them
${exitCodesHelp}`,
    )
    .addCommand(initCommand())
    .addCommand(installCommand())
    .addCommand(synthCommand())
    .addCommand(checkCommand())
    .addCommand(languageServerCommand())
    .addCommand(planCommand())
    .addCommand(deployCommand())
    .addCommand(destroyCommand())
    .addCommand(watchCommand())
    .addCommand(importCommand())
    .addCommand(convertCommand())
    .addCommand(execCommand())
    .addCommand(localCommand())
    .addCommand(verifyCommand())
    .addCommand(explainCommand())
    .addCommand(signingCommand())
    .addCommand(doctorCommand())
    .addCommand(completionCommand(() => program));
  return withCommonHelp(program);
}
