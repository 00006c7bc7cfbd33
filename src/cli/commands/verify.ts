import { readFile } from "node:fs/promises";
import { Command } from "commander";
import { writeText } from "../../core/redaction/output";
import type { ImageVerdict, VerifyErrorCode } from "../../core/signing/verify";
import { CommandError, ExitCode, printJson } from "../invocation/failure";
import { repeated, wholeNumber } from "./options";

interface Options extends VerifierOptions {
  readonly policy: readonly string[];
  readonly recursive?: true;
  readonly json?: true;
}

/** `trivet verify`: checks an image against policies, without Terraform. */
export function verifyCommand(): Command {
  const command = new Command("verify")
    .summary("check an image against policies, and say why")
    .description(
      "Checks an image against policies (ClusterImagePolicy), as the data source signing_verify does, and prints which " +
        "signatures and attestations make each policy accept it, or why none of them counts.",
    )
    .requiredOption("--policy <file>", "a file with policies; can be repeated", repeated);
  return withVerifier(command)
    .option("--recursive", "check each image of an index, too")
    .option("--json", "print the verdict as JSON")
    .addHelpText(
      "after",
      `
Exits with ${ExitCode.refused} if the image is refused, and with ${ExitCode.failed} if that is not known, for
example because the registry or the trusted root cannot be read. The text is
Markdown, for a comment on a pull request.

Uses the credentials of \`docker login\` and of clouds. The default trusted root
is that of the public instance, or of SIGSTORE_ROOT_FILE and similar variables.

Examples:
  trivet verify registry.example.org/release/app:1 --policy policy.yaml
  trivet verify localhost:5000/app:1 --policy policy.yaml --json
  trivet verify oci:mirror:1 --name registry.example.org/release/app \\
    --policy policy.yaml --trusted-root trusted_root.json`,
    )
    .action(verify);
}

async function verify(image: string, options: Options): Promise<void> {
  const { verifyImage } = await import("../../core/signing/verify/index.js");
  const { name, recursive } = options;
  const policy = await policiesOf(options.policy);
  const request = { image, name, policy, recursive, ...verifierSettings(options) };
  const verdict = await verifyImage(request).catch(explained);
  if (options.json === true) printJson(verdict);
  else writeText(process.stdout, verdict.text);
  settle(verdict);
}

/** The options of commands that read images and verify what is attached to them. */
export interface VerifierOptions {
  readonly name?: string;
  readonly trustedRoot?: string;
  readonly plainHttp?: readonly string[];
  readonly timeout: number;
}

/** Adds the image and these options to a command. */
export const withVerifier = (command: Command): Command =>
  command
    .argument(
      "<image>",
      "the image, by tag (default: latest) or digest, in a registry or a layout (oci:PATH:TAG)",
    )
    .option("--name <name>", "the name by which policies know the image")
    .option("--trusted-root <file>", "a trusted_root.json (default: as the provider has it)")
    .option("--plain-http <host>", "a registry without TLS; can be repeated", repeated)
    .option("--timeout <seconds>", "time for all of it", wholeNumber(86_400), 180);

/** The settings of a verifier, with the credentials of this machine. */
export const verifierSettings = ({ trustedRoot, plainHttp = [], timeout }: VerifierOptions) => ({
  layouts: true,
  trustedRoot,
  registries: plainHttp.map((host) => ({ host, plainHttp: true })),
  environment: process.env,
  timeoutMs: timeout * 1000,
});

/**
 * Reads files with policies, and joins them.
 *
 * @throws CommandError
 */
export async function policiesOf(files: readonly string[]): Promise<string> {
  const texts = files.map((file) =>
    readFile(file, "utf8").catch((cause: unknown) => {
      const message = `the policy ${JSON.stringify(file)} cannot be read`;
      throw new CommandError(message, "Pass a file that exists.", ExitCode.failed, { cause });
    }),
  );
  return (await Promise.all(texts)).join("\n---\n");
}

/**
 * Sets the exit code for a verdict.
 *
 * @throws CommandError
 */
export function settle(verdict: ImageVerdict): void {
  if (verdict.code === "NOT_KNOWN") {
    throw new CommandError(
      "it is not known whether the policies accept the image: not everything could be read",
      "The verdict lists what is missing (NOT_READ). Check --trusted-root (or, without it, the network), and the " +
        "credentials for the registry, which `docker login` stores.",
    );
  }
  if (!verdict.accepted) process.exitCode = ExitCode.refused;
}

/**
 * Explains a `VerifyError`, and throws others unchanged.
 *
 * @throws CommandError
 */
export async function explained(error: unknown): Promise<never> {
  const { VerifyError } = await import("../../core/signing/verify/index.js");
  if (!(error instanceof VerifyError)) throw error;
  const { code, message } = error;
  throw new CommandError(message, fixes[code], ExitCode.failed, { cause: error });
}

const fixes: Readonly<Record<VerifyErrorCode, string>> = {
  INVALID_IMAGE:
    "Write it as registry/repository:tag, registry/repository@sha256:… or, in a layout, oci:PATH:TAG.",
  INVALID_POLICY:
    "Change the policy: node_modules/@trivet/constructs/docs/guide/policies.md lists what it can contain.",
  NO_ENGINE: "Install it, and add it to PATH.",
  NO_IMAGE: "Check the name: the image must be there first.",
  REGISTRY: "Check the address. If the registry wants credentials, `docker login` stores them.",
  LAYOUT: "Check the path, and that nothing else has changed the files there.",
  DEADLINE: "Allow more time with --timeout.",
  CANCELLED: "Run it again.",
};
