import type { JsonWebKey } from "node:crypto";
import type { CallContext } from "../../../http/call-context";
import type { JsonFields } from "../../../json/parse-json";
import type { SignerHash } from "../verification/verification";
import { type AzureCloud, azureTokens } from "../../cloud-identity/azure-identity";
import { publicKeyOf, type RemoteKey, keyError } from "./key-signer";
import type { CloudSettings } from "../../cloud-identity/cloud-settings";
import { bearerRequests } from "./kms-request";
import { derSequence, derUnsigned } from "../der/write-der";

const service = "Azure Key Vault";
const apiVersion = "7.4";

/** The hosts of vaults and managed HSMs, with their clouds. A token is sent to no other host. */
const hosts: Readonly<Record<string, AzureCloud>> = {
  "vault.azure.net": "public",
  "vault.azure.cn": "cn",
  "vault.usgovcloudapi.net": "us",
  "managedhsm.azure.net": "public",
  "managedhsm.azure.cn": "cn",
  "managedhsm.usgovcloudapi.net": "us",
};

/** The service, which tests replace. */
interface AzureKeyVault {
  baseUrl(host: string): string;
  /** Returns an access token for a resource such as `https://vault.azure.net`. */
  token(resource: string, context: CallContext): Promise<string>;
}

/**
 * Opens a key in Azure Key Vault or a managed HSM. Without a version, uses the newest one.
 *
 * @param rest `host/name[/version]`
 * @see https://learn.microsoft.com/rest/api/keyvault/keys/sign/sign
 */
export async function openAzureKey(
  rest: string,
  settings: CloudSettings,
  context: CallContext,
  given?: AzureKeyVault,
): Promise<RemoteKey> {
  const [host = "", name = "", version] = rest.split("/");
  const found = Object.entries(hosts).find(([each]) => host.toLowerCase().endsWith(`.${each}`));
  if (found === undefined) {
    throw keyError(
      "KEY",
      `${service}: the host ${host} is not that of a vault, such as NAME.vault.azure.net`,
    );
  }
  const [suffix, cloud] = found;
  const vault = given ?? {
    baseUrl: (name) => `https://${name}`,
    token: azureTokens(settings, cloud),
  };
  const send = bearerRequests(settings, service, (call) => vault.token(`https://${suffix}`, call));
  const urlOf = (...path: readonly string[]): string =>
    `${vault.baseUrl(host)}/${["keys", name, ...path].join("/")}?api-version=${apiVersion}`;
  const url = version === undefined ? urlOf() : urlOf(version);
  const { key, exact } = await send({ url, context }, (stored) => {
    const fields = stored.fields("key");
    return { key: jwkOf(fields), exact: fields.string("kid").split("/").at(-1) ?? "" };
  });
  const whose = `${service}: the key ${name}`;
  const publicKey = publicKeyOf({ key, format: "jwk" }, whose, (cause) => {
    return keyError("KEY", `${whose} is not supported. Use an EC key with the curve P-256`, {
      cause,
    });
  });
  const isRsa = publicKey.asymmetricKeyType === "rsa";
  return {
    service,
    publicKey,
    async signDigest(digest, hash, signContext) {
      const body = { alg: algorithmOf(isRsa, hash), value: digest.toString("base64url") };
      const signing = { url: urlOf(exact, "sign"), context: signContext, body };
      const value = await send(signing, (signed) =>
        Buffer.from(signed.string("value"), "base64url"),
      );
      return isRsa ? value : derSignature(value);
    },
  };
}

const algorithms = { sha224: "", sha256: "256", sha384: "384", sha512: "512" } as const;

/** The name of an algorithm in JSON Web Signatures: `ES256`, `RS256`. */
function algorithmOf(isRsa: boolean, hash: SignerHash): string {
  return `${isRsa ? "RS" : "ES"}${algorithms[hash]}`;
}

function jwkOf(key: JsonFields): JsonWebKey {
  const { kty, crv, x, y, n, e } = key.object;
  const type = typeof kty === "string" ? kty.replace(/-HSM$/, "") : "";
  const jwk: Record<string, unknown> =
    type === "RSA" ? { kty: type, n, e } : { kty: type, crv, x, y };
  return jwk;
}

/**
 * Converts an ECDSA signature from the format of JSON Web Signatures (r and s of equal length) to DER.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7518#section-3.4
 */
function derSignature(fixedSize: Buffer): Buffer {
  const half = fixedSize.byteLength >> 1;
  return derSequence(
    derUnsigned(fixedSize.subarray(0, half)),
    derUnsigned(fixedSize.subarray(half)),
  );
}
