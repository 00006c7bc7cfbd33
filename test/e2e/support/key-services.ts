import { constants, generateKeyPairSync, privateEncrypt } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptedAnswer } from "../../core/http/scripted-server";
import { type Cloud, type CloudRequest, startCloud } from "./clouds";

/**
 * A key-management service as its reference describes it. Its keys `denied`, `disabled`, `throttled` and `wrong` cannot
 * be used; `busy` is throttled once.
 */
export interface KeyService {
  readonly name: string;
  /** The hosts of the service and of what exchanges credentials for a token. */
  readonly hosts: readonly string[];
  /** The URI of a key. */
  readonly uri: (key: string) => string;
  /** Credentials of the environment; files go into the folder. */
  readonly env: (folder: string) => NodeJS.ProcessEnv;
  readonly answer: (request: CloudRequest, timesAsked: number) => ScriptedAnswer;
  /** What the environment has that only the listed hosts may see. */
  readonly secrets: Readonly<Record<string, readonly string[]>>;
  /** What the user reads for the keys that cannot be used. */
  readonly words: Readonly<Record<"denied" | "disabled" | "throttled" | "wrong", string>>;
}

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
/** The public key of every service. */
export const publicPem = rsa.publicKey.export({ type: "spki", format: "pem" }).toString();

// DigestInfo of SHA-256 up to the digest (RFC 8017, 9.2).
const digestInfo = Buffer.from("3031300d060960864801650304020105000420", "hex");

/** Signs a digest with PKCS #1. */
function signed(digest: string, encoding: "base64" | "base64url"): string {
  const bytes = Buffer.from(digest, encoding);
  if (bytes.byteLength !== 32) throw new Error("the digest is not one of SHA-256");
  const padding = { key: rsa.privateKey, padding: constants.RSA_PKCS1_PADDING };
  return privateEncrypt(padding, Buffer.concat([digestInfo, bytes])).toString(encoding);
}

const json = (body: object, status = 200): ScriptedAnswer => ({
  status,
  headers: { "retry-after": "0" },
  body: JSON.stringify(body),
});

function sentIn({ body }: CloudRequest): Record<string, unknown> {
  return JSON.parse(body.toString()) as Record<string, unknown>;
}

const notFound = json({ error: { code: 404, message: "the double has no such path" } }, 404);

/** Starts a service, with the environment of a process that has credentials for it. */
export async function startKeyService(service: KeyService): Promise<Cloud> {
  const asked = new Map<string, number>();
  const cloud = await startCloud(service.hosts, (request) => {
    const times = (asked.get(request.url) ?? 0) + 1;
    asked.set(request.url, times);
    return service.answer(request, times);
  });
  return { ...cloud, env: { ...cloud.env, ...service.env(cloud.folder) } };
}

const ring = "projects/p/locations/europe-west1/keyRings/images/cryptoKeys";
const googleError = (code: number, status: string, message: string) =>
  json({ error: { code, message, status } }, code);

/** @see https://cloudkms.googleapis.com/$discovery/rest?version=v1 */
const google: KeyService = {
  name: "Google Cloud KMS",
  hosts: ["cloudkms.googleapis.com", "oauth2.googleapis.com"],
  uri: (key) => `gcpkms://${ring}/${key}/cryptoKeyVersions/1`,
  env(folder) {
    const file = join(folder, "credentials.json");
    const secrets = { client_secret: "a-client-secret", refresh_token: "a-refresh-token" };
    writeFileSync(file, JSON.stringify({ type: "authorized_user", client_id: "a", ...secrets }));
    return { GOOGLE_APPLICATION_CREDENTIALS: file };
  },
  secrets: {
    "a-refresh-token": ["oauth2.googleapis.com"],
    "a-client-secret": ["oauth2.googleapis.com"],
    "an-access-token": ["cloudkms.googleapis.com"],
  },
  answer(request, times) {
    const { host, url, method } = request;
    if (host === "oauth2.googleapis.com" && url === "/token") {
      return json({ access_token: "an-access-token", expires_in: 3599, token_type: "Bearer" });
    }
    const [, key = "", what] =
      /^\/v1\/projects\/.*\/cryptoKeys\/(\w+)\/cryptoKeyVersions\/1(\/publicKey|:asymmetricSign)$/.exec(
        url,
      ) ?? [];
    if (key === "denied") {
      const message = `Permission 'cloudkms.cryptoKeyVersions.viewPublicKey' denied on resource '${ring}/${key}' (or it may not exist).`;
      return googleError(403, "PERMISSION_DENIED", message);
    }
    if (key === "disabled") {
      const message = `${ring}/${key}/cryptoKeyVersions/1 is not enabled, current state is: DISABLED.`;
      return googleError(400, "FAILED_PRECONDITION", message);
    }
    if (key === "throttled" || (key === "busy" && times === 1)) {
      const message = "Quota exceeded for quota metric 'Cryptographic requests'";
      return googleError(429, "RESOURCE_EXHAUSTED", message);
    }
    if (what === "/publicKey" && method === "GET") {
      const algorithm = key === "wrong" ? "RSA_SIGN_PSS_2048_SHA256" : "RSA_SIGN_PKCS1_2048_SHA256";
      const name = `${ring}/${key}/cryptoKeyVersions/1`;
      return json({ pem: publicPem, algorithm, name, protectionLevel: "SOFTWARE" });
    }
    if (what !== ":asymmetricSign" || method !== "POST") return notFound;
    const { digest } = sentIn(request) as { digest: { sha256: string } };
    return json({ signature: signed(digest.sha256, "base64"), protectionLevel: "SOFTWARE" });
  },
  words: {
    denied: "Permission 'cloudkms.cryptoKeyVersions.viewPublicKey' denied on resource",
    disabled: "is not enabled, current state is: DISABLED.",
    throttled: "Quota exceeded for quota metric 'Cryptographic requests'",
    wrong: "the algorithm RSA_SIGN_PSS_2048_SHA256 of",
  },
};

const vaultHost = "images.vault.azure.net";
const keyVersion = "78deebed173b48e48f55abf87ed4cf71";
const azureError = (status: number, code: string, message: string, inner?: string) =>
  json({ error: { code, message, ...(inner && { innererror: { code: inner } }) } }, status);

/**
 * @see https://learn.microsoft.com/rest/api/keyvault/keys/sign/sign
 * @see https://learn.microsoft.com/azure/key-vault/general/rest-error-codes
 */
const azure: KeyService = {
  name: "Azure Key Vault",
  hosts: [vaultHost, "login.microsoftonline.com"],
  uri: (key) => `azurekms://${vaultHost}/${key}`,
  env: () => ({
    AZURE_TENANT_ID: "11111111-2222-3333-4444-555555555555",
    AZURE_CLIENT_ID: "66666666-7777-8888-9999-000000000000",
    AZURE_CLIENT_SECRET: "a-client-secret",
  }),
  secrets: {
    "a-client-secret": ["login.microsoftonline.com"],
    "an-access-token": [vaultHost],
  },
  answer(request, times) {
    const { host, url, method } = request;
    if (host === "login.microsoftonline.com") return azureLogin(request);
    const [, key = "", version, what] =
      /^\/keys\/(\w+)(?:\/(\w+))?(\/sign)?\?api-version=7\.4$/.exec(url) ?? [];
    if (key === "throttled" || (key === "busy" && times === 1)) {
      const message =
        "Request was not processed because too many requests were received. Reason: VaultRequestTypeLimitReached";
      return azureError(429, "Throttled", message);
    }
    if (what === undefined && method === "GET") {
      const { n, e } = rsa.publicKey.export({ format: "jwk" });
      const material =
        key === "wrong" ? { kty: "EC", crv: "P-256K", x: n, y: n } : { kty: "RSA", n, e };
      const kid = `https://${vaultHost}/keys/${key}/${keyVersion}`;
      return json({ key: { kid, key_ops: ["sign", "verify"], ...material }, attributes: {} });
    }
    if (version !== keyVersion || method !== "POST") return notFound;
    if (key === "denied") {
      const message = `The user, group or application 'appid=6' does not have keys sign permission on key vault 'images'.`;
      return azureError(403, "Forbidden", message, "AccessDenied");
    }
    if (key === "disabled") {
      const message = "Operation sign is not allowed on a disabled key.";
      return azureError(403, "Forbidden", message, "KeyDisabled");
    }
    const { alg, value } = sentIn(request);
    if (alg !== "RS256") return azureError(400, "BadParameter", "Property alg has invalid value");
    const kid = `https://${vaultHost}/keys/${key}/${keyVersion}`;
    return json({ kid, value: signed(String(value), "base64url") });
  },
  words: {
    denied: "does not have keys sign permission on key vault 'images'",
    disabled: "Operation sign is not allowed on a disabled key.",
    throttled: "VaultRequestTypeLimitReached",
    wrong: "the key wrong is not supported. Use an EC key with the curve P-256",
  },
};

function azureLogin({ url }: CloudRequest): ScriptedAnswer {
  const [, tenant = ""] = /^\/([\w-]+)\//.exec(url) ?? [];
  const base = `https://login.microsoftonline.com/${tenant}`;
  if (url.includes("/discovery/instance")) {
    const endpoint = `${base}/v2.0/.well-known/openid-configuration`;
    return json({ tenant_discovery_endpoint: endpoint, "api-version": "1.1", metadata: [] });
  }
  if (url.includes("/.well-known/openid-configuration")) {
    const authorize = `${base}/oauth2/v2.0/authorize`;
    return json({
      token_endpoint: `${base}/oauth2/v2.0/token`,
      authorization_endpoint: authorize,
      issuer: `${base}/v2.0`,
      end_session_endpoint: `${base}/oauth2/v2.0/logout`,
      jwks_uri: `${base}/discovery/v2.0/keys`,
    });
  }
  if (!url.includes("/oauth2/v2.0/token")) return notFound;
  return json({ token_type: "Bearer", expires_in: 3599, access_token: "an-access-token" });
}

const vaultAddress = "vault.example.com";
const vaultErrors = (status: number, ...errors: readonly string[]) => json({ errors }, status);

/** @see https://developer.hashicorp.com/vault/api-docs/secret/transit */
const vault: KeyService = {
  name: "HashiCorp Vault",
  hosts: [vaultAddress],
  uri: (key) => `hashivault://${key}`,
  env: () => ({ VAULT_ADDR: `https://${vaultAddress}`, VAULT_TOKEN: "hvs.a-token" }),
  secrets: { "hvs.a-token": [vaultAddress] },
  answer(request, times) {
    const { url, method } = request;
    const [, what, key = "", hash] =
      /^\/v1\/transit\/(keys|sign)\/(\w+)(\/sha2-256)?$/.exec(url) ?? [];
    if (key === "denied") return vaultErrors(403, "1 error occurred:\n\t* permission denied\n\n");
    if (key === "throttled" || (key === "busy" && times === 1)) {
      return vaultErrors(429, `request path "transit/keys/${key}": rate limit quota exceeded`);
    }
    if (what === "keys" && method === "GET") {
      const creation_time = "2026-01-02T03:04:05.678Z";
      const rsaKey = { creation_time, name: "rsa-2048", public_key: publicPem };
      const [type, version] = key === "wrong" ? ["aes256-gcm96", 1767323045] : ["rsa-2048", rsaKey];
      const data = { name: key, type, latest_version: 1, keys: { 1: version } };
      return json({ request_id: "a", lease_duration: 0, data });
    }
    if (key === "disabled") {
      const problem =
        "requested version for signing is less than the minimum encryption key version";
      return vaultErrors(400, problem);
    }
    if (what !== "sign" || hash === undefined || method !== "POST") return vaultErrors(404);
    const {
      input,
      prehashed,
      signature_algorithm: algorithm,
      key_version: version,
    } = sentIn(request);
    if (prehashed !== true || algorithm !== "pkcs1v15" || version !== 1) return vaultErrors(400);
    const data = { key_version: 1, signature: `vault:v1:${signed(String(input), "base64")}` };
    return json({ request_id: "b", lease_duration: 0, data });
  },
  words: {
    denied: "permission denied",
    disabled: "requested version for signing is less than the minimum encryption key version",
    throttled: "rate limit quota exceeded",
    wrong: "the key wrong has the type aes256-gcm96, which cannot sign. Use the type ecdsa-p256",
  },
};

const awsHost = "kms.eu-central-1.amazonaws.com";
const awsError = (type: string, message: string) => json({ __type: type, message }, 400);

/** @see https://docs.aws.amazon.com/kms/latest/APIReference/API_Sign.html */
const aws: KeyService = {
  name: "AWS KMS",
  hosts: [awsHost],
  uri: (key) => `awskms:///alias/${key}`,
  env: () => ({
    AWS_REGION: "eu-central-1",
    AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
    AWS_SECRET_ACCESS_KEY: "a-secret-key",
    AWS_SESSION_TOKEN: "a-session-token",
  }),
  secrets: { "a-secret-key": [], "a-session-token": [awsHost] },
  answer(request) {
    const operation = request.headers["x-amz-target"];
    const { KeyId, ...sent } = sentIn(request);
    if (KeyId === "alias/denied") {
      return awsError(
        "AccessDeniedException",
        "User: arn:aws:iam::1:user/a is not authorized to perform: kms:GetPublicKey",
      );
    }
    if (KeyId === "alias/throttled") {
      return awsError(
        "ThrottlingException",
        "You have exceeded the rate at which you may call KMS.",
      );
    }
    if (operation === "TrentService.GetPublicKey") {
      const spki = rsa.publicKey.export({ type: "spki", format: "der" }).toString("base64");
      const KeyUsage = KeyId === "alias/wrong" ? "ENCRYPT_DECRYPT" : "SIGN_VERIFY";
      return json({ KeyId: "arn:aws:kms:a", KeyUsage, KeySpec: "RSA_2048", PublicKey: spki });
    }
    if (KeyId === "alias/disabled")
      return awsError("DisabledException", "arn:aws:kms:a is disabled.");
    if (sent["MessageType"] !== "DIGEST") return awsError("ValidationException", "not a digest");
    const { SigningAlgorithm } = sent;
    const Signature = signed(String(sent["Message"]), "base64");
    return json({ KeyId: "arn:aws:kms:a", SigningAlgorithm, Signature });
  },
  words: {
    denied: "is not authorized to perform: kms:GetPublicKey",
    disabled: "DisabledException: arn:aws:kms:a is disabled.",
    throttled: "ThrottlingException: You have exceeded the rate",
    wrong: "the key alias/wrong is not for signing",
  },
};

const stsHost = "sts.eu-central-1.amazonaws.com";

/**
 * The same with the token of a pod, which is exchanged for keys.
 *
 * @see https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html
 */
const awsPod: KeyService = {
  ...aws,
  name: "AWS KMS, from a pod",
  hosts: [awsHost, stsHost],
  env(folder) {
    const file = join(folder, "token");
    writeFileSync(file, "a-pods-token");
    return {
      AWS_REGION: "eu-central-1",
      AWS_ROLE_ARN: "arn:aws:iam::123456789012:role/images",
      AWS_WEB_IDENTITY_TOKEN_FILE: file,
    };
  },
  secrets: { "a-pods-token": [stsHost], "a-secret-key": [], "a-session-token": [awsHost] },
  answer(request, times) {
    if (request.host !== stsHost) return aws.answer(request, times);
    const credentials = [
      "<AccessKeyId>AKIDEXAMPLE</AccessKeyId><SecretAccessKey>a-secret-key</SecretAccessKey>",
      "<SessionToken>a-session-token</SessionToken><Expiration>2100-01-01T00:00:00Z</Expiration>",
    ].join("");
    const result = `<AssumeRoleWithWebIdentityResult><Credentials>${credentials}</Credentials></AssumeRoleWithWebIdentityResult>`;
    return {
      headers: { "content-type": "text/xml" },
      body: `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">${result}</AssumeRoleWithWebIdentityResponse>`,
    };
  },
};

/** All services that we sign with. */
export const keyServices: readonly KeyService[] = [aws, awsPod, google, azure, vault];
