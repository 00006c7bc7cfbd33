import { Command } from "commander";
import type { VerifyErrorCode } from "../../signing/verify";
import { CommandError } from "../invocation/command-error";
import { ExitCode } from "../invocation/exit-code";
import { printJson } from "../invocation/failure";
import { repeated, wholeNumber } from "./options";

interface Options {
  readonly policy: readonly string[];
  readonly name?: string;
  readonly trustedRoot?: string;
  readonly plainHttp?: readonly string[];
  readonly recursive?: true;
  readonly timeout: number;
  readonly json?: true;
}

/** `trivet verify`: checks an image against policies, without Terraform. */
export function verifyCommand(): Command {
  return new Command("verify")
    .summary("check an image against policies, and tell why")
    .description(
      "Checks an image against policies (ClusterImagePolicy), as the data source signing_verify does, and prints because of " +
        "which signatures and attestations each policy accepts it, or why none of them counts.",
    )
    .argument("<image>", "the image, by tag or digest, in a registry or in a layout (oci:PATH:TAG)")
    .requiredOption("--policy <file>", "a file with policies; can be repeated", repeated)
    .option("--name <name>", "the name by which policies know the image")
    .option("--trusted-root <file>", "a trusted_root.json (default: as the provider has it)")
    .option("--plain-http <host>", "a registry without TLS; can be repeated", repeated)
    .option("--recursive", "check each image of an index, too")
    .option("--timeout <seconds>", "time for all of it", wholeNumber(86_400), 180)
    .option("--json", "print the verdict as JSON")
    .addHelpText(
      "after",
      `
Exits with ${ExitCode.refused} if the image is refused, and with ${ExitCode.failed} if that is not known,
for example because the registry cannot be reached. The text is Markdown, for a
comment on a pull request.

Credentials are those of \`docker login\` and of clouds. By default, the trusted
root is that of the public instance, or what SIGSTORE_ROOT_FILE and so on name.

Examples:
  trivet verify registry.example.org/release/app:1 --policy policy.yaml
  trivet verify localhost:5000/app:1 --policy policy.yaml --json
  trivet verify oci:mirror:1 --name registry.example.org/release/app \\
    --policy policy.yaml --trusted-root trusted_root.json`,
    )
    .action(verify);
}

async function verify(image: string, options: Options): Promise<void> {
  const { readFile } = await import("node:fs/promises");
  const { verifyImage, VerifyError } = await import("../../signing/verify/index.js");
  const texts = options.policy.map((file) =>
    readFile(file, "utf8").catch((cause: unknown) => {
      const message = `the policy ${JSON.stringify(file)} cannot be read`;
      throw new CommandError(message, "Name a file that exists.", ExitCode.failed, { cause });
    }),
  );
  const { name, trustedRoot, plainHttp = [], recursive, timeout } = options;
  const request = {
    image,
    name,
    layouts: true,
    policy: (await Promise.all(texts)).join("\n---\n"),
    trustedRoot,
    recursive,
    registries: plainHttp.map((host) => ({ host, plainHttp: true })),
    environment: process.env,
    timeoutMs: timeout * 1000,
  };
  const verdict = await verifyImage(request).catch((error: unknown) => {
    if (!(error instanceof VerifyError)) throw error;
    const { code, message } = error;
    throw new CommandError(message, fixes[code], ExitCode.failed, { cause: error });
  });
  if (options.json === true) printJson(verdict);
  else process.stdout.write(verdict.text);
  if (!verdict.accepted) process.exitCode = ExitCode.refused;
}

const fixes: Readonly<Record<VerifyErrorCode, string>> = {
  INVALID_IMAGE: "Write it as registry/repository:tag or registry/repository@sha256:….",
  INVALID_POLICY: "Change the policy: docs/guide/policies.md lists what it may say.",
  NO_ENGINE: "Install it, and add it to PATH.",
  NO_IMAGE: "Check the name, and push the image first.",
  REGISTRY: "Check the address and the credentials: `docker login` stores them.",
  DEADLINE: "Allow more time with --timeout.",
  CANCELLED: "Run it again.",
};
