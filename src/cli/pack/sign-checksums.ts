import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { promisify } from "node:util";
import { hasCode, standardErrorOf } from "../../core/process/system-error";
import { CommandError } from "../invocation/command-error";

/** Enough time to type the passphrase of a key. */
const maxWaitMs = 300_000;

/**
 * Signs a file with GnuPG, as registries expect: a detached binary signature in `<file>.sig`.
 *
 * @param key the argument of `gpg --local-user`: a fingerprint, a key ID or an e-mail address
 * @throws CommandError if GnuPG is missing or refuses
 */
export async function signChecksums(file: string, key: string): Promise<string> {
  const signature = `${file}.sig`;
  await rm(signature, { force: true });
  const args = ["--batch", "--local-user", key, "--output", signature, "--detach-sign", file];
  try {
    await promisify(execFile)("gpg", args, { timeout: maxWaitMs });
    return signature;
  } catch (cause) {
    if (hasCode(cause, "ENOENT")) {
      throw new CommandError(
        "GnuPG is not installed: there is no `gpg` on PATH.",
        "Install GnuPG, or leave out --gpg-key and sign the file with SHA256SUMS in its name elsewhere.",
        undefined,
        { cause },
      );
    }
    const said = standardErrorOf(cause);
    throw new CommandError(
      `GnuPG cannot sign with the key ${JSON.stringify(key)}.\n${said}`.trim(),
      "`gpg --list-secret-keys` shows the keys. Name one by its fingerprint. Registries accept RSA and DSA keys.",
      undefined,
      { cause },
    );
  }
}
