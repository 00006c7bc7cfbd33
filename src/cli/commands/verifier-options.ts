import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import type { ImageVerdict, VerifyErrorCode } from "../../core/signing/verify";
import { CommandError } from "../invocation/command-error";
import { ExitCode } from "../invocation/exit-code";
import { repeated, wholeNumber } from "./options";

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
 * Reads files with policies, as one text.
 *
 * @throws CommandError
 */
export async function policiesOf(files: readonly string[]): Promise<string> {
  const texts = files.map((file) =>
    readFile(file, "utf8").catch((cause: unknown) => {
      const message = `the policy ${JSON.stringify(file)} cannot be read`;
      throw new CommandError(message, "Name a file that exists.", ExitCode.failed, { cause });
    }),
  );
  return (await Promise.all(texts)).join("\n---\n");
}

/**
 * Ends the command as the verdict says: with {@link ExitCode.refused} only if there is one.
 *
 * @throws CommandError
 */
export function settle(verdict: ImageVerdict): void {
  if (verdict.code === "NOT_KNOWN") {
    throw new CommandError(
      "whether the policies accept the image is not known: not everything could be read",
      "The verdict says what (NOT_READ). Check --trusted-root or, without it, the network; and the credentials for the " +
        "registry: `docker login` stores them.",
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
    "Change the policy: node_modules/@trivet/constructs/docs/guide/policies.md lists what it may say.",
  NO_ENGINE: "Install it, and add it to PATH.",
  NO_IMAGE: "Check the name: the image must be there first.",
  REGISTRY: "Check the address. If the registry wants credentials, `docker login` stores them.",
  LAYOUT: "Check the path, and that nothing else has changed the files there.",
  DEADLINE: "Allow more time with --timeout.",
  CANCELLED: "Run it again.",
};
