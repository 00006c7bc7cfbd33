import { createPrivateKey, sign } from "node:crypto";
import type { ServiceAccountKey } from "./credentials";
import { googleError } from "./google-error";
import { cloudPlatformScope, type TokenServices } from "./token-request";

const lifetimeSeconds = 3_600;

/** The form with which a service account requests a token at its token endpoint: a claim that it has signed. */
export function signedRequest(
  key: ServiceAccountKey,
  { now }: Pick<TokenServices, "now">,
): Readonly<Record<string, string>> {
  return {
    grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
    assertion: signedClaims(key, now()),
  };
}

/** @see https://developers.google.com/identity/protocols/oauth2/service-account#authorizingrequests */
function signedClaims(
  { clientEmail, privateKey, privateKeyId, tokenUrl, origin }: ServiceAccountKey,
  nowMs: number,
): string {
  const iat = Math.floor(nowMs / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const header = {
    alg: "RS256",
    typ: "JWT",
    ...(privateKeyId === undefined ? {} : { kid: privateKeyId }),
  };
  const claims = { iss: clientEmail, scope: cloudPlatformScope, aud: tokenUrl };
  const text = `${part(header)}.${part({ ...claims, iat, exp: iat + lifetimeSeconds })}`;
  try {
    const signature = sign("sha256", Buffer.from(text), createPrivateKey(privateKey));
    return `${text}.${signature.toString("base64url")}`;
  } catch {
    // The cause could quote the key.
    throw googleError("FILE", `private_key in ${origin} is not a usable RSA key in PEM form`);
  }
}
