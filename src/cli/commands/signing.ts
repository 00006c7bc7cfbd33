import { readFile, writeFile } from "node:fs/promises";
import { Command } from "commander";
import { isFailure } from "../../core/failure/failure";
import { systemErrorCode } from "../../core/process/system-error";
import { writeText } from "../../core/redaction/output";
import type { ExpectedWorkflow } from "../../core/signing/file-attestation/workflow-signature";
import type { ImageTree, ImageVerdict } from "../../core/signing/verify";
import { CommandError, ExitCode, printJson } from "../invocation/failure";
import { repeated } from "./options";
import {
  explained,
  policiesOf,
  settle,
  type VerifierOptions,
  verifierSettings,
  withVerifier,
} from "./verify";

interface Options extends VerifierOptions {
  readonly policy?: readonly string[];
  readonly json?: true;
}

/** `trivet signing`: what is attached to images, and signed files. */
export function signingCommand(): Command {
  return new Command("signing")
    .summary("look at signatures and attestations, and sign files")
    .description(
      "Shows the signatures and attestations of images. Signs and verifies files. " +
        "To sign an image, deploy a signing.Sign.",
    )
    .addCommand(treeCommand())
    .addCommand(signFileCommand())
    .addCommand(verifyFileCommand());
}

function treeCommand(): Command {
  const command = new Command("tree")
    .summary("show who signed what of an image, and when")
    .description(
      "Reads an image, the images of an index, and everything that is attached to them, and shows it as a tree: " +
        "signatures, attestations and bundles, who signed them, the log entries with their proofs, and the " +
        "certificates. Writes nothing.",
    )
    .option("--policy <file>", "show what the policies in a file say; can be repeated", repeated);
  return withVerifier(command)
    .option("--json", "print the tree as JSON")
    .addHelpText(
      "after",
      `
"verified" means that a signature is genuine, and that its signer and its time
are proven. Whether the signer may sign the image is what policies decide: with
--policy, their verdict is below the tree, as \`trivet verify\` prints it.

Exits with ${ExitCode.refused} if a policy refuses the image, and with ${ExitCode.failed} if it cannot be read.

Uses the credentials of \`docker login\` and of clouds. The default trusted root
is that of the public instance, or of SIGSTORE_ROOT_FILE and similar variables.

Examples:
  trivet signing tree registry.example.org/release/app:1
  trivet signing tree localhost:5000/app:1 --policy policy.yaml --json
  trivet signing tree oci:mirror:1 --trusted-root trusted_root.json`,
    )
    .action(tree);
}

async function tree(image: string, options: Options): Promise<void> {
  const { ImageVerifier } = await import("../../core/signing/verify/index.js");
  const { layoutKindOf } = await import("../../core/signing/oci/reference/image-name.js");
  const policy = options.policy === undefined ? undefined : await policiesOf(options.policy);
  const { timeoutMs, ...settings } = verifierSettings(options);
  const verifier = new ImageVerifier(settings);
  try {
    const found = await verifier.tree({ image, timeoutMs }).catch(explained);
    // The tag may have moved since. Patterns of policies match it nevertheless; a layout has no name.
    const { name = layoutKindOf(image) === undefined ? image : undefined } = options;
    const request = { image: found.image, name, timeoutMs };
    const verdict =
      policy === undefined
        ? undefined
        : await verifier.verify({ ...request, policy }).catch(explained);
    await print(found, verdict, options);
    if (verdict !== undefined) settle(verdict);
  } finally {
    await verifier.close();
  }
}

async function print(
  tree: ImageTree,
  verdict: ImageVerdict | undefined,
  { json }: Options,
): Promise<void> {
  if (json === true) {
    printJson({ ...tree, ...(verdict && { verdict }) });
    return;
  }
  const { treeText } = await import("../../core/signing/tree/tree-text.js");
  const { columns } = process.stdout;
  const said = verdict === undefined ? "" : `\n${verdict.text}`;
  writeText(process.stdout, treeText(tree, process.stdout.isTTY ? columns : undefined) + said);
}

/** `trivet signing sign-file`: signs a file as the job that runs this. */
function signFileCommand(): Command {
  return new Command("sign-file")
    .summary("sign a file as this job of a pipeline")
    .description(
      "Signs a file without a key, with the identity of the job that runs this, and writes the signature beside " +
        "it as FILE.sigstore.json. This publishes the names of the repository and of the workflow in a public log, " +
        "unless TRIVET_SIGNING_CONFIG selects services of your own.",
    )
    .argument("<file>")
    .action(signGiven);
}

/** `trivet signing verify-file`: verifies which workflow has signed a file. */
function verifyFileCommand(): Command {
  return new Command("verify-file")
    .summary("verify which workflow has signed a file, and print its commit")
    .description(
      "Verifies that FILE.sigstore.json signs the file, by a job of this workflow, and prints the commit that the job " +
        "ran for. Anyone who can write to a branch can change the workflow there: compare what the commit contains.",
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
not known. By default, it trusts the public instance, or what
TRIVET_TRUSTED_ROOT, or SIGSTORE_ROOT_FILE and similar variables, contain.

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
  const bundle = await signFile(digest, process.env, context()).catch(explainedSigning);
  await writeFile(bundleOf(file), bundle);
}

async function verifyGiven(file: string, expected: ExpectedWorkflow): Promise<void> {
  const { trustOf, verifyWorkflow } =
    await import("../../core/signing/file-attestation/workflow-signature.js");
  const bundle = await contentOf(bundleOf(file));
  const digest = await digestOf(file);
  const trust = await trustOf(process.env, context()).catch(explainedSigning);
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
    throw new CommandError(message, "Pass a file that exists.", undefined, { cause });
  });
}

const maxWaitMs = 180_000;

const context = () => ({
  signal: AbortSignal.timeout(maxWaitMs),
  deadline: Date.now() + maxWaitMs,
});

/** @throws CommandError for failures of the services and in the files */
function explainedSigning(error: unknown): never {
  if (!isFailure(error)) throw error;
  const fix =
    error.code === "NO_IDENTITY"
      ? "Run this in a job with an identity: on GitHub `id-token: write`, on GitLab `id_tokens` with SIGSTORE_ID_TOKEN."
      : "Run it again.";
  throw new CommandError(error.message, fix, undefined, { cause: error });
}
