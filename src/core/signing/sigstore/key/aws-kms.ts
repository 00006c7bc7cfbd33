import {
  GetPublicKeyCommand,
  KMSClient,
  type KMSClientConfig,
  SignCommand,
  type SigningAlgorithmSpec,
} from "@aws-sdk/client-kms";
import { type CallContext, withinDeadline } from "../../../http/call-context";
import { isHttpError } from "../../../http/http-error";
import { serverMessage } from "../../../http/server-message";
import { probeTls } from "../../../http/probe-tls";
import { isLoopbackHost } from "../../../schema";
import type { SignerHash } from "../verification/verification";
import { awsCredentials, awsRequestHandler } from "../../cloud-identity/aws-identity";
import { checkedPublicKey, type RemoteKey, keyError, isKeyError } from "./key-signer";
import { kmsFailure } from "./kms-request";
import { type CloudSettings, collectSecrets } from "../../cloud-identity/cloud-settings";

const service = "AWS KMS";
const attempts = 3;
const connectMaxMs = 10_000;

/**
 * Opens a key in AWS KMS with the credentials and the region that AWS's own tools use.
 *
 * @param rest `[endpoint]/key`, where the key is an ID, an alias or an ARN
 * @see https://docs.aws.amazon.com/kms/latest/APIReference/API_Sign.html
 */
export async function openAwsKey(
  rest: string,
  { http, redact }: Pick<CloudSettings, "http" | "redact">,
  context: CallContext,
): Promise<RemoteKey> {
  const { secrets, onSecret } = collectSecrets(redact);
  const slash = rest.indexOf("/");
  const keyId = rest.slice(slash + 1);
  const region = regionOf(keyId);
  const client = new KMSClient({
    ...(await endpointOf(rest.slice(0, slash), context)),
    ...(region !== undefined && { region }),
    credentials: awsCredentials(http, onSecret, region),
    maxAttempts: attempts,
    requestHandler: awsRequestHandler(http),
  });
  const spki = await call(context, secrets, async (abortSignal) => {
    const { PublicKey, KeyUsage } = await client.send(new GetPublicKeyCommand({ KeyId: keyId }), {
      abortSignal,
    });
    if (PublicKey !== undefined && KeyUsage === "SIGN_VERIFY") return Buffer.from(PublicKey);
    throw keyError(
      "KEY",
      `${service}: the key ${keyId} is not for signing. Use a key with the usage SIGN_VERIFY`,
    );
  });
  const publicKey = checkedPublicKey(spki, `${service}: the key ${keyId}`);
  const isRsa = publicKey.asymmetricKeyType === "rsa";
  return {
    service,
    publicKey,
    signDigest: (digest, hash, signContext) =>
      call(signContext, secrets, async (abortSignal) => {
        const command = new SignCommand({
          KeyId: keyId,
          Message: digest,
          MessageType: "DIGEST",
          SigningAlgorithm: algorithmOf(isRsa, hash),
        });
        const { Signature } = await client.send(command, { abortSignal });
        return Buffer.from(Signature ?? []);
      }),
  };
}

/** The URL of an emulator or another host. Only on this machine may it be plain http, which cosign does not support. */
async function endpointOf(
  host: string,
  context: CallContext,
): Promise<Pick<KMSClientConfig, "endpoint">> {
  if (host === "") return {};
  const url = new URL(`https://${host}`);
  const isSecure = !isLoopbackHost(url.hostname) || (await speaksTls(url, context));
  return { endpoint: `${isSecure ? "https" : "http"}://${host}` };
}

async function speaksTls(url: URL, context: CallContext): Promise<boolean> {
  try {
    await withinDeadline(context, "the connection", (signal) =>
      probeTls(url, signal, connectMaxMs),
    );
    return true;
  } catch {
    // After the deadline, the request itself fails.
    return false;
  }
}

/** The region in an ARN; otherwise the SDK reads it from the environment or the profile. */
const regionOf = (keyId: string): string | undefined => /^arn:[^:]*:kms:([^:]+):/.exec(keyId)?.[1];

function algorithmOf(isRsa: boolean, hash: SignerHash): SigningAlgorithmSpec {
  if (isRsa) return "RSASSA_PKCS1_V1_5_SHA_256";
  if (hash === "sha384") return "ECDSA_SHA_384";
  return hash === "sha512" ? "ECDSA_SHA_512" : "ECDSA_SHA_256";
}

/** Runs a call of the SDK until the deadline. @param secrets what no message may repeat */
async function call<T>(
  context: CallContext,
  secrets: ReadonlySet<string>,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await withinDeadline(context, "the request", run);
  } catch (error) {
    if (isKeyError(error)) throw error;
    if (isHttpError(error)) throw kmsFailure(service, error);
    const { name, message } = error instanceof Error ? error : { name: "Error", message: "" };
    const quoted = serverMessage(message, [...secrets]);
    throw keyError("KEY_SERVICE", `${service}: ${name}: ${quoted}`, { cause: error });
  }
}
