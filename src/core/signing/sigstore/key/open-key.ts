import { type KeyObject, createPrivateKey } from "node:crypto";
import type { CallContext } from "../../../http/call-context";
import type { CloudSettings } from "../../cloud-identity/cloud-settings";
import { isFileProblem, readGivenFile } from "../../../process/files";
import {
  type KeySigner,
  localKeySigner,
  remoteKeySigner,
  type RemoteKey,
  keyError,
  type KeyError,
} from "./key-signer";
import { type KmsUri, parseKeyReference, parseKmsUri } from "./key-reference";

/** The environment variable with the password of a key file. cosign uses the same. */
const passwordVariable = "COSIGN_PASSWORD";

/** A key file is much smaller. */
const maxKeyBytes = 64 * 1024;

/** Opens the private key of a reference. Nothing of it leaves this process. @throws KeyError */
export async function openKey(
  reference: string,
  settings: CloudSettings,
  context: CallContext,
): Promise<KeySigner> {
  const parsed = parseKeyReference(reference);
  if ("problem" in parsed) throw keyError("KEY", `key ${parsed.problem}`);
  if (parsed.kind === "kms")
    return remoteKeySigner(await openRemote(parsed.uri, settings, context));
  const { env, redact } = settings;
  const password = env[passwordVariable];
  if (password !== undefined && password !== "") redact(password);
  if (parsed.kind === "file") {
    const source = `the file ${JSON.stringify(parsed.path)}`;
    return localKeySigner(
      await readPrivateKey(await textOf(parsed.path, source), source, password),
    );
  }
  const source = `the environment variable ${parsed.variable}`;
  const pem = env[parsed.variable] ?? "";
  if (pem === "") throw keyError("KEY", `${source} is not set: it must contain the key in PEM`);
  redact(pem);
  return localKeySigner(await readPrivateKey(pem, source, password));
}

/** Fetches the public key of a key in a key-management service. @throws KeyError */
export async function openPublicKey(
  uri: string,
  settings: CloudSettings,
  context: CallContext,
): Promise<KeyObject> {
  const parsed = parseKmsUri(uri);
  if ("problem" in parsed) throw keyError("KEY", `the URI of the key ${parsed.problem}`);
  return (await openRemote(parsed, settings, context)).publicKey;
}

// Each client is in its own file, because the libraries behind them are large.
async function openRemote(
  { scheme, rest }: KmsUri,
  settings: CloudSettings,
  context: CallContext,
): Promise<RemoteKey> {
  switch (scheme) {
    case "awskms":
      return (await import("./aws-kms.js")).openAwsKey(rest, settings, context);
    case "gcpkms":
      return (await import("./google-kms.js")).openGoogleKey(rest, settings, context);
    case "azurekms":
      return (await import("./azure-key-vault.js")).openAzureKey(rest, settings, context);
    case "hashivault":
    case "openbao": {
      const service = scheme === "openbao" ? "OpenBao" : "HashiCorp Vault";
      return (await import("./vault-transit.js")).openVaultKey(rest, service, settings, context);
    }
  }
}

async function textOf(path: string, source: string): Promise<string> {
  const bytes = await readGivenFile(path, maxKeyBytes, "any").catch((error: unknown) => {
    if (!isFileProblem(error)) throw error;
    throw keyError("KEY", `${source} cannot be used: ${error.message}`, { cause: error });
  });
  return bytes.toString("utf8");
}

/** The labels of cosign's own format: since version 2, and before. */
const ownLabels = ["ENCRYPTED SIGSTORE PRIVATE KEY", "ENCRYPTED COSIGN PRIVATE KEY"];

const blocks = /-----BEGIN ([A-Z0-9 ]*PRIVATE KEY)-----/g;

/**
 * Reads a private key from PEM: cosign's encrypted format, PKCS #8 (encrypted or not), SEC 1 or PKCS #1.
 *
 * @param source for messages, such as `the file "cosign.key"`
 */
async function readPrivateKey(
  pem: string,
  source: string,
  password: string | undefined,
): Promise<KeyObject> {
  const labels = [...pem.matchAll(blocks)].map(([, label = ""]) => label);
  const [label, ...others] = labels;
  if (label === undefined || others.length > 0) {
    const found = label === undefined ? "no private key" : `${labels.length} private keys`;
    throw keyError("KEY", `${source} must contain exactly one private key in PEM, found ${found}`);
  }
  if (ownLabels.includes(label)) {
    const { decryptKeyFile } = await import("./encrypted-key.js");
    const der = await decryptKeyFile(pem, label, source, requiredPassword(source, password));
    if (der === undefined) throw wrongPassword(source);
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
  throw keyError(
    "KEY_PASSWORD",
    `${source} is encrypted: set the environment variable ${passwordVariable} to its password`,
  );
}

function parsed(read: () => KeyObject, source: string): KeyObject {
  try {
    return read();
  } catch (error) {
    throw keyError("KEY", `${source} contains a private key that cannot be read`, { cause: error });
  }
}

function wrongPassword(source: string, cause?: unknown): KeyError {
  return keyError(
    "KEY_PASSWORD",
    `${source} cannot be decrypted with the password in ${passwordVariable}: the password is wrong, or the file is damaged`,
    { cause },
  );
}
