import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { CallContext } from "../../../http/call-context";
import type { JsonFields } from "../../../json/json-fields";
import { serviceUrl } from "../../../schema";
import { KeyError, publicKeyOf, type RemoteKey } from "./key-signer";
import type { CloudSettings } from "../../cloud-identity/cloud-settings";
import { kmsRequest } from "./kms-request";

const service = "HashiCorp Vault";

/** Names of hash algorithms in URLs. */
const hashes = { sha224: "sha2-224", sha256: "sha2-256", sha384: "sha2-384", sha512: "sha2-512" };

/**
 * Opens a key of Vault's or OpenBao's transit engine, in its newest version. Reads `VAULT_ADDR`,
 * `VAULT_TOKEN` (or `~/.vault-token`), `VAULT_NAMESPACE` and `TRANSIT_SECRET_ENGINE_PATH` (by default `transit`).
 *
 * @param rest name of the key
 * @see https://developer.hashicorp.com/vault/api-docs/secret/transit#sign-data
 */
export async function openVaultKey(
  rest: string,
  { http, env, redact }: CloudSettings,
  context: CallContext,
): Promise<RemoteKey> {
  const address = env["VAULT_ADDR"] ?? "";
  if (!serviceUrl.test(address)) {
    throw new KeyError(
      "KEY",
      `${service}: set the environment variable VAULT_ADDR to an https URL, or an http URL of this machine`,
    );
  }
  const token = env["VAULT_TOKEN"] ?? (await tokenFile());
  if (token === "")
    throw new KeyError("KEY", `${service}: set the environment variable VAULT_TOKEN`);
  redact(token);
  const engine = (env["TRANSIT_SECRET_ENGINE_PATH"] ?? "transit").replace(/^\/+|\/+$/g, "");
  const namespace = env["VAULT_NAMESPACE"] ?? "";
  const base = `${address.replace(/\/+$/, "")}/v1/${engine.split("/").map(encodeURIComponent).join("/")}`;
  const headers = {
    "x-vault-token": token,
    "x-vault-request": "true",
    ...(namespace !== "" && { "x-vault-namespace": namespace }),
  };
  const common = { http, service, headers, secrets: [token] };
  const { version, pem } = await kmsRequest(
    { ...common, url: `${base}/keys/${rest}`, context },
    (found) => newest(rest, found.fields("data")),
  );
  const whose = `${service}: the key ${rest}`;
  const publicKey = publicKeyOf(pem, whose, (cause) => {
    return new KeyError("KEY", `${whose} is not supported. Use the type ecdsa-p256`, cause);
  });
  const isRsa = publicKey.asymmetricKeyType === "rsa";
  return {
    service,
    publicKey,
    async signDigest(digest, hash, signContext) {
      const body = {
        input: digest.toString("base64"),
        prehashed: true,
        key_version: version,
        ...(isRsa ? { signature_algorithm: "pkcs1v15" } : { marshaling_algorithm: "asn1" }),
      };
      const url = `${base}/sign/${rest}/${hashes[hash]}`;
      const text = await kmsRequest({ ...common, url, context: signContext, body }, (signed) =>
        signed.fields("data").string("signature"),
      );
      return Buffer.from(/^vault:v\d+:(.+)$/.exec(text)?.[1] ?? "", "base64");
    },
  };
}

function newest(name: string, data: JsonFields) {
  const version = data.integer("latest_version");
  const versions = data.fields("keys");
  // Keys for encryption have the time of their creation there, instead of a public key.
  if (typeof versions.object[version] === "number") {
    const type = data.has("type") ? data.string("type") : "unknown";
    throw new KeyError(
      "KEY",
      `${service}: the key ${name} has the type ${type}, which cannot sign. Use the type ecdsa-p256`,
    );
  }
  return { version, pem: versions.fields(String(version)).string("public_key") };
}

async function tokenFile(): Promise<string> {
  try {
    return (await readFile(join(homedir(), ".vault-token"), "utf8")).trim();
  } catch {
    return "";
  }
}
