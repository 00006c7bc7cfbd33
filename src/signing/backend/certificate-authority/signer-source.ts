import { generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import type { CallContext } from "../../../http/call-context";
import type { HttpClient } from "../../../http/client";
import type { IdentitySource } from "../identity/identity-source";
import { ServiceError } from "../service/service-error";
import { requestCertificate } from "./request-certificate";
import { isUsable, type Signer } from "./signing-certificate";

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
  const signers = new Map<string, Promise<Signer>>();
  return async (url, context) => {
    const before = signers.get(url);
    const kept = await before?.catch(() => undefined);
    if (kept !== undefined && isUsable(kept, now())) return kept;
    // Another caller may have asked while this one waited.
    const asked = signers.get(url);
    if (asked !== undefined && asked !== before) return asked;
    const made = make(url, context);
    signers.set(url, made);
    return made;
  };

  async function make(url: string, context: CallContext): Promise<Signer> {
    const token = await identity(context);
    if (token === undefined) {
      throw new ServiceError("NO_IDENTITY", "There is no identity token, so nobody can sign.");
    }
    const { publicKey, privateKey } = await keyPair();
    const request = { http, context, url, token, publicKey, privateKey };
    return { ...(await requestCertificate(request)), privateKey };
  }
}

const generate = promisify(generateKeyPair);

function keyPair(): Promise<{ readonly publicKey: KeyObject; readonly privateKey: KeyObject }> {
  return generate("ec", { namedCurve: "P-256" });
}
