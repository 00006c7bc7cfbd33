import type { Command } from "commander";

/** Adds the options that all commands for new projects have: `ProjectOptions`. */
export const withProjectOptions = (command: Command): Command =>
  command
    .option(
      "--package <version|file>",
      "the package of Trivet that the project installs (default: from where this one was installed)",
    )
    .option("--json", "print what was written as JSON");
