import { Command } from "commander";
import { CommandError } from "../invocation/command-error";
import { ExitCode } from "../invocation/exit-code";

interface Options {
  readonly dir?: string;
  readonly provider?: readonly string[];
  readonly platform?: string;
  readonly force?: true;
}

export function installCommand(): Command {
  return new Command("install")
    .summary("put the providers where Terraform and OpenTofu find them")
    .description(
      "Installs the providers into a filesystem mirror: the user's plugin folder, where Terraform\n" +
        "and OpenTofu look by themselves, or another folder.",
    )
    .option("--dir <folder>", "the mirror to install into (default: the user's plugin folder)")
    .option("--provider <name...>", "only these providers (default: all)")
    .option("--platform <os_arch>", "platform in Terraform's words (default: this machine's)")
    .option("--force", "replace a release that is installed with other bytes")
    .addHelpText(
      "after",
      `
A development build has a version that follows from its content, so it never replaces another; of
those the newest few are kept. The same version with the same bytes is left alone.

Examples:
  trivet install
  trivet install --dir ./mirror --provider ids`,
    )
    .action(install);
}

async function install(options: Options): Promise<void> {
  const { builtPackages } = await import("../package/built-package.js");
  const { installPackage } = await import("../package/install-package.js");
  const { mirrorFolder, providerSource } = await import("../package/mirror.js");
  const { terraformPlatform } = await import("../package/platform.js");
  const { packageRoot } = await import("../package/package-root.js");
  const { commandEnvironment } = await import("../invocation/command-environment.js");

  const around = commandEnvironment();
  const mirror = mirrorFolder(options.dir, around);
  const built = await builtPackages(packageRoot());
  const names = built.map(({ name }) => name);
  const unknown = options.provider?.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new CommandError(
      `There is no provider "${unknown}".`,
      `The providers are: ${names.join(", ")}.`,
      ExitCode.usage,
    );
  }
  const platform = options.platform ?? terraformPlatform();
  for (const provider of built) {
    if (options.provider?.includes(provider.name) === false) continue;
    const { folder, outcome, removed } = await installPackage(provider, {
      mirror,
      platform,
      force: options.force ?? false,
    });
    const said = {
      installed: "installed",
      unchanged: "is already installed",
      replaced: "replaced",
    };
    console.log(`${provider.name} ${provider.version} ${said[outcome]} (${folder})`);
    if (removed.length > 0) console.log(`  removed old builds: ${removed.join(", ")}`);
    console.log(`  source = "${providerSource(provider.name)}", version = "${provider.version}"`);
  }
  if (around.platform === "win32") {
    console.warn(
      "The providers start through a POSIX shell, which Terraform on Windows does not use: run " +
        "terraform inside WSL.",
    );
  }
  console.log(nextStep(options.dir === undefined ? undefined : mirror));
}

function nextStep(mirror: string | undefined): string {
  const exec = mirror === undefined ? "npx trivet exec --" : `npx trivet exec --dir ${mirror} --`;
  const alone = mirror === undefined ? ", or `terraform init` in your own configuration" : "";
  return `\nNext: \`${exec} cdktf deploy\`${alone}.`;
}
