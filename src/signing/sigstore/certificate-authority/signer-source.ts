import { generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import type { CallContext } from "../../../http/call-context";
import type { HttpClient } from "../../../http/client";
import type { IdentitySource } from "../identity/identity-source";
import { renewedValue } from "../../../http/renewed-value";
import { interrupted, ServiceError } from "../service/service-error";
import { requestCertificate } from "./request-certificate";
import type { Signer } from "./signing-certificate";

/** What is left of a certificate's life when it is not used for another signature. */
const reserveMs = 30_000;

export interface SignerSourceSettings {
  readonly http: HttpClient;
  readonly identity: IdentitySource;
  readonly now: () => number;
}

/**
 * Gives a key with a certificate of the authority at an address.
 *
 * There is one key for each authority and process; its certificate serves all signatures until shortly
 * before it ends, and several callers at once ask for one certificate together.
 *
 * @throws ServiceError `NO_IDENTITY` when there is nobody to sign for
 */
export type SignerSource = (url: string, context: CallContext) => Promise<Signer>;

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
          throw new ServiceError("NO_IDENTITY", "There is no identity token, so nobody can sign.");
        }
        keys ??= keyPair();
        const { publicKey, privateKey } = await keys;
        const request = { http, context, url, token, publicKey, privateKey };
        return { ...(await requestCertificate(request)), privateKey };
      },
      // Its beginning is not looked at: it has come from the authority, whose clock may be ahead of ours.
      expiresAt: ({ leaf }) => Date.parse(leaf.validTo),
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
