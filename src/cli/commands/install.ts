import { Command } from "commander";
import { CommandError } from "../invocation/command-error";
import { ExitCode } from "../invocation/exit-code";

interface Options {
  readonly dir?: string;
  readonly provider?: readonly string[];
  readonly platform?: string;
  readonly force?: true;
}

/** `trivet install`: copies the providers into a mirror. */
export function installCommand(): Command {
  return new Command("install")
    .summary("install the providers where Terraform and OpenTofu find them")
    .description(
      "Installs the providers into a filesystem mirror: the user's plugin folder,\n" +
        "where Terraform and OpenTofu look by default, or another folder.",
    )
    .option("--dir <folder>", "the mirror to install into (default: the user's plugin folder)")
    .option("--provider <name...>", "only these providers (default: all)")
    .option("--platform <os_arch>", "Terraform's name of the platform (default: this machine's)")
    .option("--force", "replace an installed release whose content differs")
    .addHelpText(
      "after",
      `
The version of a development build is derived from its content, so it never
replaces another one. The newest five are kept. The same version with the same
content is not changed.

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
  const { checkedPlatform, terraformPlatform } = await import("../package/platform.js");
  const { packageRoot } = await import("../package/package-root.js");
  const { commandEnvironment } = await import("../invocation/command-environment.js");

  const around = commandEnvironment();
  const mirror = mirrorFolder(options.dir, around);
  const built = await builtPackages(packageRoot());
  const names = built.map(({ name }) => name);
  const unknown = options.provider?.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new CommandError(
      `The provider "${unknown}" does not exist.`,
      `The providers are: ${names.join(", ")}.`,
      ExitCode.usage,
    );
  }
  const platform = checkedPlatform(options.platform ?? terraformPlatform());
  for (const provider of built) {
    if (options.provider?.includes(provider.name) === false) continue;
    const { folder, outcome, removed } = await installPackage(provider, {
      mirror,
      platform,
      force: options.force ?? false,
    });
    const result = {
      installed: "installed",
      unchanged: "is already installed",
      replaced: "replaced",
    };
    console.log(`${provider.name} ${provider.version} ${result[outcome]} (${folder})`);
    if (removed.length > 0) console.log(`  removed old builds: ${removed.join(", ")}`);
    console.log(`  source = "${providerSource(provider.name)}", version = "${provider.version}"`);
  }
  console.log(nextStep(options.dir === undefined ? undefined : mirror));
}

function nextStep(mirror: string | undefined): string {
  const exec = mirror === undefined ? "npx trivet exec --" : `npx trivet exec --dir ${mirror} --`;
  const alone = mirror === undefined ? ", or `terraform init` in your own configuration" : "";
  return `\nNext: \`${exec} cdktf deploy\`${alone}.`;
}
