import { join } from "node:path";
import { Command } from "commander";
import { CommandError, ExitCode, print, printJson } from "../invocation/failure";
import type { Installation } from "../package/install-package";
import type { VerifiedRelease } from "../package/verify-release";

interface InstallOptions {
  readonly dir?: string;
  readonly provider?: readonly string[];
  readonly platform?: string;
  readonly force?: true;
  readonly key?: string;
  readonly attestation?: string;
  readonly json?: true;
}

/** `trivet install`: copies the providers into a mirror. */
export function installCommand(): Command {
  return new Command("install")
    .summary("install the providers where Terraform and OpenTofu find them")
    .description(
      "Installs the providers into a filesystem mirror: the user's plugin folder, where Terraform " +
        "and OpenTofu look by default, or another folder.",
    )
    .option("--dir <folder>", "the mirror to install into (default: the user's plugin folder)")
    .option("--provider <name...>", "only these providers (default: all)")
    .option("--platform <os_arch>", "Terraform's name of the platform (default: this machine's)")
    .option("--force", "replace an installed release whose content differs")
    .option("--attestation <file>", "the provenance of the release, to verify (requires --key)")
    .option("--key <file>", "the public key of the publisher")
    .option("--json", "print what was installed as JSON")
    .addHelpText(
      "after",
      `
The version of a development build is derived from its content, so it never
replaces another one. The newest five are kept. The same version with the same
content is not changed.

The packages of a release are compared with its checksums first. With --key and
--attestation, the signature of these checksums is verified as well.

Examples:
  trivet install
  trivet install --dir ./mirror --provider ids`,
    )
    .action(install);
}

async function install(options: InstallOptions): Promise<void> {
  const { builtPackages } = await import("../package/built-package.js");
  const { installPackage } = await import("../package/install-package.js");
  const { providerSource } = await import("../../core/construct/product/product.js");
  const { mirrorFolder } = await import("../package/mirror.js");
  const { verifyRelease } = await import("../package/verify-release.js");
  const { terraformPlatform } = await import("../package/platform.js");
  const { packageRoot } = await import("../../core/process/package-root.js");
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
  const folder = join(packageRoot(), "dist", "providers");
  const verified = await verifyRelease(folder, built, options);
  const platform = options.platform ?? terraformPlatform();
  const providers: InstalledProvider[] = [];
  for (const { name, version, ...files } of built) {
    if (options.provider?.includes(name) === false) continue;
    const force = options.force ?? false;
    const done = await installPackage({ name, version, ...files }, { mirror, platform, force });
    const provider = { name, version, source: providerSource(name), ...done };
    providers.push(provider);
    if (options.json !== true) print(describe(provider));
  }
  if (options.json === true) {
    printJson({ mirror, platform, verified, providers });
    return;
  }
  print(`\n${describeVerified(verified)}`);
  print(nextStep(options.dir === undefined ? undefined : mirror));
}

interface InstalledProvider extends Installation {
  readonly name: string;
  readonly version: string;
  readonly source: string;
}

function describe(provider: InstalledProvider): string {
  const { name, version, source, folder, outcome, removed } = provider;
  const result = {
    installed: "installed",
    unchanged: "is already installed",
    replaced: "replaced",
  };
  return [
    `${name} ${version} ${result[outcome]} (${folder})`,
    ...(removed.length > 0 ? [`  removed old builds: ${removed.join(", ")}`] : []),
    `  source = "${source}", version = "${version}"`,
  ].join("\n");
}

function describeVerified(verified: VerifiedRelease): string {
  switch (verified.by) {
    case "nothing":
      return "A development build: there is no release to compare it with.";
    case "checksums":
      return "The packages have the checksums of the release. Its signature was not checked: see --attestation.";
    case "signature":
      return `The packages have the checksums of the release, signed with the key sha256:${verified.keyId}.`;
  }
}

function nextStep(mirror: string | undefined): string {
  if (mirror !== undefined) {
    return `\nNext: \`npx trivet exec --dir ${mirror} -- …\` with cdktf, cdktn, terraform or tofu.`;
  }
  return `
Next, one of:
  npx trivet exec -- …    cdktf, cdktn, terraform or tofu
  terraform init          in a configuration of your own
  npx trivet init         a new project`;
}

interface ExecOptions {
  readonly dir?: string;
  readonly warm?: boolean;
}

/** `trivet exec`: runs a command that finds the providers. */
export function execCommand(): Command {
  return new Command("exec")
    .summary("run terraform, tofu, cdktf or cdktn so that it finds the providers")
    .description(
      "Runs a command with a temporary Terraform CLI configuration that takes our providers from " +
        "the mirror and everything else from the usual place. Installs the providers first if " +
        "necessary.",
    )
    .usage("[options] -- <command> [arguments...]")
    .option("--dir <folder>", "the mirror to use (default: the user's plugin folder)")
    .option("--warm", "keep the providers for all Terraform commands that the command runs")
    .argument("<command>", "the command to run")
    .argument("[arguments...]", "its arguments")
    .passThroughOptions()
    .addHelpText(
      "after",
      `
Your own CLI configuration (TF_CLI_CONFIG_FILE or the file in your home folder)
still applies; the mirror is added to it. The command also gets
CDKTF_SKIP_PROVIDER_LOCK=true, because cdktf would request checksums from the
providers' host, which does not exist, and CHECKPOINT_DISABLE=1.

With --warm, Terraform does not start our providers anew for each of its
commands. Each starts once for a working folder and an environment, is used by
every \`terraform\` and \`tofu\` that the command finds on PATH, and ends with
the command. \`init\` is still necessary. Needs a POSIX shell: not on Windows.

Exits with the command's exit code.

Examples:
  trivet exec -- terraform -chdir=cdktf.out/stacks/ids init
  trivet exec --warm -- ./deploy-all.sh
  trivet exec -- cdktf deploy
  trivet exec -- cdktn deploy
  trivet exec --dir ./mirror -- tofu -chdir=cdktf.out/stacks/ids apply`,
    )
    .action(exec);
}

async function exec(command: string, args: readonly string[], options: ExecOptions): Promise<void> {
  const { withProviders } = await import("../exec/with-providers.js");
  const { runCommand } = await import("../exec/run-command.js");
  const { commandEnvironment } = await import("../invocation/command-environment.js");
  const around = commandEnvironment();
  const run = (tool: string, env: NodeJS.ProcessEnv): Promise<number> =>
    runCommand(tool, args, {
      ...env,
      CDKTF_SKIP_PROVIDER_LOCK: "true",
      DISABLE_VERSION_CHECK: "1",
    });

  process.exitCode = await withProviders(options.dir, command, around, async (env) => {
    if (options.warm !== true) return await run(command, env);
    const { withWarmProviders } = await import("../warm/with-warm-providers.js");
    return await withWarmProviders(command, env, around.platform, run);
  });
}
