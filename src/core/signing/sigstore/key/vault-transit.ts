import type { CallContext } from "../../../http/call-context";
import type { JsonFields } from "../../../json/parse-json";
import type { CloudSettings } from "../../cloud-identity/cloud-settings";
import { publicKeyOf, type RemoteKey, keyError, type KeyError } from "./key-signer";
import { kmsRequest } from "./kms-request";
import { X509Certificate } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import { isFileProblem, readGivenFile, readSmallFile } from "../../../process/files";
import { serviceUrl } from "../../../schema";

/** Far more than a token or a list of root certificates has. */
const maxFileBytes = 4 * 1024 * 1024;

/** Names of hash algorithms in URLs. */
const hashes = { sha224: "sha2-224", sha256: "sha2-256", sha384: "sha2-384", sha512: "sha2-512" };

/**
 * Opens a key of the transit engine of Vault or OpenBao, in its newest version.
 *
 * @param name of the key
 * @param service the start of messages
 * @see https://developer.hashicorp.com/vault/api-docs/secret/transit#sign-data
 */
export async function openVaultKey(
  name: string,
  service: "HashiCorp Vault" | "OpenBao",
  settings: CloudSettings,
  context: CallContext,
): Promise<RemoteKey> {
  const { engine, token, namespace, rootCertificates } = await vaultSettings(settings, service);
  const headers = {
    "x-vault-token": token,
    "x-vault-request": "true",
    ...(namespace !== "" && { "x-vault-namespace": namespace }),
  };
  const at = (path: string, capability: string) => ({
    http: settings.http,
    service,
    headers,
    rootCertificates,
    secrets: [token],
    url: `${engine}/${path}`,
    advice: {
      403: `the token must be valid, and needs the capability "${capability}" for ${path} of the transit engine`,
      404: `check the name of the key ${name}, TRANSIT_SECRET_ENGINE_PATH and VAULT_NAMESPACE`,
    },
  });
  const whose = `${service}: the key ${name}`;
  const { version, key } = await kmsRequest({ ...at(`keys/${name}`, "read"), context }, (found) =>
    newest(whose, found.fields("data")),
  );
  const publicKey = publicKeyOf(key, whose, (cause) => {
    return keyError("KEY", `${whose} is not supported. Use the type ecdsa-p256`, { cause });
  });
  const isRsa = publicKey.asymmetricKeyType === "rsa";
  const sign = async (under: string, body: object, signContext: CallContext): Promise<Buffer> => {
    const text = await kmsRequest(
      {
        ...at(`sign/${name}${under}`, "update"),
        context: signContext,
        body: { ...body, key_version: Number(version) },
      },
      (signed) => signed.fields("data").string("signature"),
    );
    return Buffer.from(/^vault:v\d+:(.+)$/.exec(text)?.[1] ?? "", "base64");
  };
  return {
    service,
    publicKey,
    // Vault allows any hash, but logs and the defaults of policies know only this one, whatever the curve.
    hash: "sha256",
    signDigest: (digest, hash, signContext) =>
      sign(
        `/${hashes[hash]}`,
        {
          input: digest.toString("base64"),
          prehashed: true,
          ...(isRsa ? { signature_algorithm: "pkcs1v15" } : { marshaling_algorithm: "asn1" }),
        },
        signContext,
      ),
    signContent: (content, signContext) =>
      sign("", { input: Buffer.from(content).toString("base64") }, signContext),
  };
}

function newest(whose: string, data: JsonFields) {
  const type = data.has("type") ? data.string("type") : "unknown";
  const version = data.has("latest_version") ? String(data.integer("latest_version")) : "";
  const versions = data.has("keys") ? data.fields("keys") : undefined;
  // Instead of a public key, keys for encryption have their creation time there, and HMAC keys have nothing.
  if (versions === undefined || typeof versions.object[version] === "number") {
    throw keyError(
      "KEY",
      `${whose} has the type ${type}, which cannot sign. Use the type ecdsa-p256`,
    );
  }
  const key = versions.fields(version).string("public_key");
  if (type !== "ed25519") return { version, key };
  // Not PEM, but the bytes of the key alone.
  const x = Buffer.from(key, "base64").toString("base64url");
  return { version, key: { key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" } as const };
}

/** Where a server of Vault or OpenBao is, and how to log in there. */
interface VaultSettings {
  readonly engine: string;
  readonly token: string;
  /** Empty without one. */
  readonly namespace: string;
  /** Root certificates for the server in PEM, in addition to those of Node.js. */
  readonly rootCertificates: string | undefined;
}

/**
 * Reads the settings as cosign does: each variable `VAULT_…`, otherwise the same one of OpenBao, `BAO_…`; the token
 * also from `~/.vault-token`, where `vault login` and `bao login` store it.
 *
 * @param service the start of messages
 */
async function vaultSettings(
  { env, redact }: Pick<CloudSettings, "env" | "redact">,
  service: string,
): Promise<VaultSettings> {
  const firstOf = (...names: readonly string[]): string =>
    names.map((name) => env[name] ?? "").find((value) => value !== "") ?? "";
  const variable = (name: string): string => firstOf(`VAULT_${name}`, `BAO_${name}`);
  const address = variable("ADDR");
  if (!serviceUrl.test(address)) {
    throw keyError(
      "KEY",
      `${service}: set the environment variable VAULT_ADDR or BAO_ADDR to an https URL, or an http URL of this machine`,
    );
  }
  const given = variable("TOKEN");
  const token = given === "" ? await tokenFile() : given;
  if (token === "") {
    throw keyError("KEY", `${service}: set the environment variable VAULT_TOKEN or BAO_TOKEN`);
  }
  redact(token);
  const path = (firstOf("TRANSIT_SECRET_ENGINE_PATH") || "transit").replace(/^\/+|\/+$/g, "");
  const file = variable("CACERT");
  return {
    engine: `${address.replace(/\/+$/, "")}/v1/${path.split("/").map(encodeURIComponent).join("/")}`,
    token,
    namespace: variable("NAMESPACE"),
    rootCertificates: file === "" ? undefined : await rootsIn(file, service),
  };
}

async function tokenFile(): Promise<string> {
  const text = readSmallFile(join(homedir(), ".vault-token"), maxFileBytes);
  return (await text.catch(() => undefined))?.trim() ?? "";
}

async function rootsIn(file: string, service: string): Promise<string> {
  const failed = (problem: string, cause: unknown): KeyError => {
    const named = `the file ${JSON.stringify(file)} in VAULT_CACERT or BAO_CACERT`;
    return keyError("KEY", `${service}: ${named} ${problem}`, { cause });
  };
  const bytes = await readGivenFile(file, maxFileBytes, "any").catch((error: unknown) => {
    throw isFileProblem(error) ? failed(`cannot be used: ${error.message}`, error) : error;
  });
  try {
    // TLS would ignore a file without a certificate.
    new X509Certificate(bytes);
    return bytes.toString("utf8");
  } catch (error) {
    throw failed("contains no certificate in PEM", error);
  }
}
