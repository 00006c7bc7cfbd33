import { generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import type { CallContext } from "../../../http/call-context";
import type { HttpClient } from "../../../http/client";
import type { IdentitySource } from "../identity/identity-source";
import { renewedValue } from "../../../http/renewed-value";
import { interrupted, ServiceError } from "../service/call-service";
import { requestCertificate, type Signer } from "./request-certificate";

/** A certificate is not used when it expires within this time. */
const reserveMs = 30_000;

/**
 * Returns a key with a certificate from the certificate authority at a URL.
 *
 * Each process has one key for each authority. Its certificate is used until shortly before it expires, and
 * concurrent callers share one request.
 *
 * @throws ServiceError, `NO_IDENTITY` if there is no identity token
 */
export type SignerSource = (url: string, context: CallContext) => Promise<Signer>;

interface SignerSourceSettings {
  readonly http: HttpClient;
  readonly identity: IdentitySource;
  readonly now: () => number;
}

export function signerSource({ http, identity, now }: SignerSourceSettings): SignerSource {
  const signers = new Map<string, (context: CallContext) => Promise<Signer>>();
  return (url, context) => {
    const known = signers.get(url) ?? signerOf(url);
    signers.set(url, known);
    return known(context);
  };

  function signerOf(url: string): (context: CallContext) => Promise<Signer> {
    let keys: ReturnType<typeof keyPair> | undefined;
    return renewedValue<Signer, CallContext>({
      async renew(context) {
        const token = await identity(context);
        if (token === undefined) {
          throw new ServiceError("NO_IDENTITY", "There is no identity token to sign with.");
        }
        keys ??= keyPair();
        const { publicKey, privateKey } = await keys;
        const request = { http, context, url, token, publicKey, privateKey };
        return { ...(await requestCertificate(request)), privateKey };
      },
      // The start of the validity is not checked: the clock of the authority may be ahead of ours.
      expiresAt: ({ leaf }) => leaf.notAfter.getTime(),
      marginMs: reserveMs,
      now,
      interrupted,
    });
  }
}

const generate = promisify(generateKeyPair);

function keyPair(): Promise<{ readonly publicKey: KeyObject; readonly privateKey: KeyObject }> {
  return generate("ec", { namedCurve: "P-256" });
}
