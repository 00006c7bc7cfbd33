import { Command } from "commander";
import { ExitCode } from "../invocation/exit-code";
import { print, printJson } from "../invocation/failure";

interface Options {
  readonly dir?: string;
  readonly json?: true;
}

/** `trivet doctor`: reports problems of the installation. */
export function doctorCommand(): Command {
  return new Command("doctor")
    .summary("find problems and how to fix them")
    .description(
      "Checks the tools, the installed providers, the environment, and what the stacks require " +
        "and lock. Reports problems and how to fix them. Changes nothing.",
    )
    .option("--dir <folder>", "the mirror to check (default: the user's plugin folder)")
    .option("--json", "print the report as JSON")
    .addHelpText(
      "after",
      `
Exits with ${ExitCode.failed} if it finds a problem. Warnings do not count.

Examples:
  trivet doctor
  trivet doctor --dir ./mirror`,
    )
    .action(doctor);
}

async function doctor(options: Options): Promise<void> {
  const { builtPackages } = await import("../package/built-package.js");
  const { mirrorFolder } = await import("../package/mirror.js");
  const { terraformPlatform } = await import("../package/platform.js");
  const { packageRoot } = await import("../../core/process/package-root.js");
  const { commandEnvironment } = await import("../invocation/command-environment.js");
  const { describe, examine } = await import("../doctor/examine.js");
  const { toolRunner } = await import("../invocation/run-tool.js");

  const around = commandEnvironment();
  const observations = await examine({
    around,
    mirror: mirrorFolder(options.dir, around),
    platform: terraformPlatform(),
    nodeVersion: process.versions.node,
    built: await builtPackages(packageRoot()).catch(() => undefined),
    run: toolRunner(process.env),
  });
  const problems = observations.filter(({ status }) => status === "problem").length;
  const warnings = observations.filter(({ status }) => status === "warning").length;
  if (options.json === true) {
    printJson({ observations, problems, warnings });
  } else {
    print(describe(observations));
    print(`\n${count(problems, "problem")}, ${count(warnings, "warning")}`);
  }
  if (problems > 0) process.exitCode = ExitCode.failed;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
