import { createPrivateKey, type KeyObject } from "node:crypto";
import { KeyError, passwordVariable, wrongPassword } from "./key-error";

/** Both names of cosign's own format: since version 2, and before. */
const ownLabels = ["ENCRYPTED SIGSTORE PRIVATE KEY", "ENCRYPTED COSIGN PRIVATE KEY"];

const blocks = /-----BEGIN ([A-Z0-9 ]*PRIVATE KEY)-----/g;

/**
 * Reads a private key from PEM: cosign's encrypted format, PKCS #8 (encrypted or not), SEC 1 or PKCS #1.
 *
 * @param source for messages, such as `the file "cosign.key"`
 * @throws KeyError
 */
export async function readPrivateKey(
  pem: string,
  source: string,
  password: string | undefined,
): Promise<KeyObject> {
  const labels = [...pem.matchAll(blocks)].map(([, label = ""]) => label);
  const [label, ...others] = labels;
  if (label === undefined || others.length > 0) {
    const found = label === undefined ? "no private key" : `${labels.length} private keys`;
    throw new KeyError(
      "KEY",
      `${source} must contain exactly one private key in PEM, found ${found}`,
    );
  }
  if (ownLabels.includes(label)) {
    const { decryptKeyFile } = await import("./encrypted-key.js");
    const der = await decryptKeyFile(pem, label, source, requiredPassword(source, password));
    return parsed(() => createPrivateKey({ key: der, format: "der", type: "pkcs8" }), source);
  }
  const isEncrypted = label === "ENCRYPTED PRIVATE KEY" || /^Proc-Type:.*ENCRYPTED/m.test(pem);
  if (!isEncrypted) return parsed(() => createPrivateKey(pem), source);
  const passphrase = requiredPassword(source, password);
  try {
    return createPrivateKey({ key: pem, passphrase });
  } catch (error) {
    throw wrongPassword(source, error);
  }
}

// An empty password is a password: `cosign generate-key-pair` accepts it.
function requiredPassword(source: string, password: string | undefined): string {
  if (password !== undefined) return password;
  throw new KeyError(
    "KEY_PASSWORD",
    `${source} is encrypted: set the environment variable ${passwordVariable} to its password`,
  );
}

function parsed(read: () => KeyObject, source: string): KeyObject {
  try {
    return read();
  } catch (error) {
    throw new KeyError("KEY", `${source} contains a private key that cannot be read`, error);
  }
}
