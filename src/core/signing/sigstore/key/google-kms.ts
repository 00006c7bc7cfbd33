import { defaultToken } from "../../../google/default-credentials";
import type { CallContext } from "../../../http/call-context";
import type { JsonFields } from "../../../json/parse-json";
import { renewedValue } from "../../../http/renewed-value";
import type { CloudSettings } from "../../cloud-identity/cloud-settings";
import { publicKeyOf, type RemoteKey, keyError } from "./key-signer";
import { bearerRequests } from "./kms-request";

const service = "Google Cloud KMS";

/** The service, which tests replace. */
interface GoogleKms {
  readonly baseUrl: string;
  token(context: CallContext): Promise<string>;
}

/** The real service, with application default credentials. */
function googleKms({ http, env, redact, now = Date.now }: CloudSettings): GoogleKms {
  const kept = renewedValue({
    async renew(context: CallContext) {
      const found = await defaultToken({ http, env, redact, now, context });
      if (found !== undefined) return found;
      throw new Error(
        "none were found; log in with gcloud auth application-default login, or set GOOGLE_APPLICATION_CREDENTIALS",
      );
    },
    expiresAt: ({ expiresAt }) => expiresAt,
    marginMs: 60_000,
    now,
  });
  return {
    baseUrl: "https://cloudkms.googleapis.com/v1",
    token: async (context) => (await kept(context)).token,
  };
}

/**
 * Opens a key in Google Cloud KMS. Without a version, uses the newest enabled one.
 *
 * @param rest `projects/…/cryptoKeys/…[/cryptoKeyVersions/…]`
 * @see https://cloud.google.com/kms/docs/reference/rest/v1/projects.locations.keyRings.cryptoKeys.cryptoKeyVersions
 */
export async function openGoogleKey(
  rest: string,
  settings: CloudSettings,
  context: CallContext,
  kms: GoogleKms = googleKms(settings),
): Promise<RemoteKey> {
  const send = bearerRequests(settings, service, (call) => kms.token(call));
  const url = (under: string): string => `${kms.baseUrl}/${under}`;
  const version = await versionOf(rest, (under, read) => send({ url: url(under), context }, read));
  const { pem, algorithm } = await send({ url: url(`${version}/publicKey`), context }, (found) => ({
    pem: found.string("pem"),
    algorithm: found.string("algorithm"),
  }));
  if (/PSS|RAW|SECP256K1/.test(algorithm)) {
    throw keyError(
      "KEY",
      `${service}: the algorithm ${algorithm} of ${version} is not supported. Use EC_SIGN_P256_SHA256`,
    );
  }
  const publicKey = publicKeyOf(pem, `${service}: the key ${version}`, (cause) => {
    return keyError("KEY_SERVICE", `${service} returned no public key for ${version}`, { cause });
  });
  return {
    service,
    publicKey,
    async signDigest(digest, hash, signContext) {
      const body = { digest: { [hash]: digest.toString("base64") } };
      const signing = { url: url(`${version}:asymmetricSign`), context: signContext, body };
      return send(signing, (signed) => signed.base64("signature"));
    },
  };
}

async function versionOf(
  rest: string,
  get: (
    under: string,
    read: (listed: JsonFields) => readonly number[],
  ) => Promise<readonly number[]>,
): Promise<string> {
  const [, key = rest, number] = /^(.*)\/(?:cryptoKeyVersions|versions)\/(\d+)$/.exec(rest) ?? [];
  if (number !== undefined) return `${key}/cryptoKeyVersions/${number}`;
  const query = "filter=state%3DENABLED&orderBy=name%20desc&pageSize=100";
  const numbers = await get(`${key}/cryptoKeyVersions?${query}`, (listed) =>
    listed
      .list("cryptoKeyVersions")
      .map((each) => Number(each.string("name").split("/").at(-1)))
      .filter(Number.isSafeInteger),
  );
  if (numbers.length > 0) return `${key}/cryptoKeyVersions/${Math.max(...numbers)}`;
  throw keyError("KEY", `${service}: the key ${key} has no enabled version`);
}
