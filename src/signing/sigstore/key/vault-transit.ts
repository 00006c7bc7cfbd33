import type { CallContext } from "../../../http/call-context";
import type { JsonFields } from "../../../json/json-fields";
import type { CloudSettings } from "../../cloud-identity/cloud-settings";
import { KeyError, publicKeyOf, type RemoteKey } from "./key-signer";
import { kmsRequest } from "./kms-request";
import { vaultSettings } from "./vault-settings";

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
    return new KeyError("KEY", `${whose} is not supported. Use the type ecdsa-p256`, cause);
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
    // Any is allowed. Logs and the defaults of policies know only this one, whatever the curve.
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
  // Keys for encryption have the time of their creation there, instead of a public key; those of HMAC have nothing.
  if (versions === undefined || typeof versions.object[version] === "number") {
    throw new KeyError(
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
