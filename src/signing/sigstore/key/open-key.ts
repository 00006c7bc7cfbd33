import type { KeyObject } from "node:crypto";
import { open } from "node:fs/promises";
import type { CallContext } from "../../../http/call-context";
import type { CloudSettings } from "../../cloud-identity/cloud-settings";
import { failureCode } from "../../../http/failure";
import { KeyError, passwordVariable } from "./key-error";
import { type KmsUri, parseKeyReference, parseKmsUri } from "./key-reference";
import { type KeySigner, localKeySigner, remoteKeySigner, type RemoteKey } from "./key-signer";
import { readPrivateKey } from "./private-key";

/** A key file is much smaller. */
const maxKeyBytes = 64 * 1024;

/**
 * Opens the private key that a reference names. Nothing of it leaves this process.
 *
 * @throws KeyError
 */
export async function openKey(
  reference: string,
  settings: CloudSettings,
  context: CallContext,
): Promise<KeySigner> {
  const parsed = parseKeyReference(reference);
  if ("problem" in parsed) throw new KeyError("KEY", `key ${parsed.problem}`);
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
  if (pem === "") throw new KeyError("KEY", `${source} is not set: it must contain the key in PEM`);
  redact(pem);
  return localKeySigner(await readPrivateKey(pem, source, password));
}

/**
 * Fetches the public key of a key in a key-management service.
 *
 * @throws KeyError
 */
export async function openPublicKey(
  uri: string,
  settings: CloudSettings,
  context: CallContext,
): Promise<KeyObject> {
  const parsed = parseKmsUri(uri);
  if ("problem" in parsed) throw new KeyError("KEY", `the URI of the key ${parsed.problem}`);
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
      return (await import("./vault-transit.js")).openVaultKey(rest, settings, context);
  }
}

async function textOf(path: string, source: string): Promise<string> {
  const bytes = await startOf(path, maxKeyBytes + 1).catch((error: unknown) => {
    const reason = failureCode(error) ?? "unknown error";
    throw new KeyError("KEY", `${source} cannot be read (${reason})`, error);
  });
  if (bytes.byteLength <= maxKeyBytes) return bytes.toString("utf8");
  throw new KeyError("KEY", `${source} is not a key file: it is larger than ${maxKeyBytes} bytes`);
}

async function startOf(path: string, maxBytes: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const buffer = Buffer.alloc(maxBytes);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, length, maxBytes - length);
      length += bytesRead;
      if (bytesRead === 0 || length === maxBytes) return buffer.subarray(0, length);
    }
  } finally {
    await file.close();
  }
}
