import { Command } from "commander";
import { ExitCode } from "../invocation/exit-code";
import { printJson } from "../invocation/failure";
import { repeated } from "./options";
import {
  explained,
  policiesOf,
  settle,
  type VerifierOptions,
  verifierSettings,
  withVerifier,
} from "./verifier-options";
import { writeText } from "../../core/redaction/output";

interface Options extends VerifierOptions {
  readonly policy: readonly string[];
  readonly recursive?: true;
  readonly json?: true;
}

/** `trivet verify`: checks an image against policies, without Terraform. */
export function verifyCommand(): Command {
  const command = new Command("verify")
    .summary("check an image against policies, and tell why")
    .description(
      "Checks an image against policies (ClusterImagePolicy), as the data source signing_verify does, and prints because of " +
        "which signatures and attestations each policy accepts it, or why none of them counts.",
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
  const { verifyImage } = await import("../../core/signing/verify/index.js");
  const { name, recursive } = options;
  const policy = await policiesOf(options.policy);
  const request = { image, name, policy, recursive, ...verifierSettings(options) };
  const verdict = await verifyImage(request).catch(explained);
  if (options.json === true) printJson(verdict);
  else writeText(process.stdout, verdict.text);
  settle(verdict);
}
