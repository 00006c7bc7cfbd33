import { readFile, writeFile } from "node:fs/promises";
import { Command } from "commander";
import type { ExpectedWorkflow } from "../../core/signing/file-attestation/workflow-signature";
import { CommandError } from "../invocation/command-error";
import { ExitCode } from "../invocation/exit-code";
import { systemErrorCode } from "../../core/process/system-error";
import { writeText } from "../../core/redaction/output";

/** `trivet signing sign-file`: signs a file as the job that runs this. */
export function signFileCommand(): Command {
  return new Command("sign-file")
    .summary("sign a file as this job of a pipeline")
    .description(
      "Signs a file without a key, with the identity of the job that runs this, and writes the signature beside " +
        "it as FILE.sigstore.json. The name of the repository and of the workflow are in a public log then, " +
        "unless TRIVET_SIGNING_CONFIG names services of your own.",
    )
    .argument("<file>")
    .action(signGiven);
}

/** `trivet signing verify-file`: verifies which workflow has signed a file. */
export function verifyFileCommand(): Command {
  return new Command("verify-file")
    .summary("verify which workflow has signed a file, and print its commit")
    .description(
      "Verifies that FILE.sigstore.json signs the file, by a job of this workflow, and prints the commit that the job " +
        "ran for. Who may write a branch may run another content of the workflow: compare what the commit contains.",
    )
    .argument("<file>")
    .requiredOption("--issuer <url>", "the issuer of the job's identity")
    .requiredOption("--workflow <url>", "the file of the workflow, without @ and ref")
    .requiredOption("--repository <url>", "the repository that it ran for")
    .requiredOption("--trigger <event>", "the event that started it, such as pull_request")
    .addHelpText(
      "after",
      `
Exits with ${ExitCode.refused} if something else has signed the file, and with ${ExitCode.failed} if that is
not known. TRIVET_TRUSTED_ROOT, or SIGSTORE_ROOT_FILE and so on, name what is
trusted instead of the public instance.

Example:
  trivet signing verify-file plans.cms --trigger pull_request \\
    --issuer https://token.actions.githubusercontent.com \\
    --repository https://github.com/acme/stacks \\
    --workflow https://github.com/acme/stacks/.github/workflows/stacks.yml`,
    )
    .action(verifyGiven);
}

async function signGiven(file: string): Promise<void> {
  const { signFile } = await import("../../core/signing/file-attestation/workflow-signature.js");
  const digest = await digestOf(file);
  const bundle = await signFile(digest, process.env, context()).catch(explained);
  await writeFile(bundleOf(file), bundle);
}

async function verifyGiven(file: string, expected: ExpectedWorkflow): Promise<void> {
  const { trustOf, verifyWorkflow } =
    await import("../../core/signing/file-attestation/workflow-signature.js");
  const bundle = await contentOf(bundleOf(file));
  const digest = await digestOf(file);
  const trust = await trustOf(process.env, context()).catch(explained);
  const result = verifyWorkflow(bundle, digest, expected, trust);
  if ("problem" in result) {
    throw new CommandError(
      `${file} was not signed by ${expected.workflow}: ${result.problem}.`,
      "Do not use it.",
      ExitCode.refused,
    );
  }
  writeText(process.stdout, `${result.commit}\n`);
}

const bundleOf = (file: string): string => `${file}.sigstore.json`;

async function digestOf(file: string) {
  const { digestOf: sha256 } = await import("../../core/signing/oci/reference/descriptor.js");
  return sha256(await contentOf(file));
}

function contentOf(file: string): Promise<Buffer> {
  return readFile(file).catch((cause: unknown) => {
    const reason = systemErrorCode(cause) ?? "unknown error";
    const message = `${file} cannot be read (${reason}).`;
    throw new CommandError(message, "Name a file that exists.", undefined, { cause });
  });
}

const maxWaitMs = 180_000;

const context = () => ({
  signal: AbortSignal.timeout(maxWaitMs),
  deadline: Date.now() + maxWaitMs,
});

/** @throws CommandError for what the services and files say */
async function explained(error: unknown): Promise<never> {
  const { CodedError } = await import("../../core/signing/sigstore/coded-error.js");
  if (!(error instanceof CodedError)) throw error;
  const fix =
    error.code === "NO_IDENTITY"
      ? "Run this in a job with an identity: on GitHub `id-token: write`, on GitLab `id_tokens` with SIGSTORE_ID_TOKEN."
      : "Run it again.";
  throw new CommandError(error.message, fix, undefined, { cause: error });
}
