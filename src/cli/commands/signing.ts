import { Command } from "commander";
import type { ImageTree, ImageVerdict } from "../../core/signing/verify";
import { ExitCode } from "../invocation/exit-code";
import { printJson } from "../invocation/failure";
import { repeated } from "./options";
import { signFileCommand, verifyFileCommand } from "./signed-file";
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

Credentials are those of \`docker login\` and of clouds. By default, the trusted
root is that of the public instance, or what SIGSTORE_ROOT_FILE and so on name.

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
