import { parseJson } from "../../../json/parse-json";
import { isJsonObject, type JsonObject } from "../../../json/json-value";
import { ServiceError } from "../service/service-error";

/** A token that says who signs. */
export interface IdentityToken {
  /** A secret. */
  readonly text: string;
  /** What the certificate authority wants signed as proof: the email address, else the subject. */
  readonly subject: string;
  /** What a certificate for the token must name; of other subjects the authority makes names of its own. */
  readonly email?: string | undefined;
  readonly expiresAt: Date;
}

/** What is left of a token's life when it is not used any more. */
export const tokenReserveMs = 30_000;

/**
 * Reads what a token says of itself. Its signature is the certificate authority's business.
 *
 * @param source how messages name where the token comes from
 * @throws ServiceError `IDENTITY`, without a word of the token
 */
export function readIdentityToken(text: string, source: string): IdentityToken {
  const trimmed = text.trim();
  const claims = claimsOf(trimmed);
  if (claims === undefined) throw unusable(source, "is not a JSON Web Token");
  const { email, sub, exp } = claims;
  const address = typeof email === "string" && email !== "" ? email : undefined;
  const subject = address ?? sub;
  if (typeof subject !== "string" || subject === "") throw unusable(source, "names nobody");
  if (typeof exp !== "number") throw unusable(source, "does not say how long it holds");
  return { text: trimmed, subject, email: address, expiresAt: new Date(exp * 1000) };
}

/** Whether a token can still be used. */
export function isFresh({ expiresAt }: IdentityToken, now: number): boolean {
  return now < expiresAt.getTime() - tokenReserveMs;
}

function claimsOf(text: string): JsonObject | undefined {
  const [, payload, signature, ...more] = text.split(".");
  if (payload === undefined || signature === undefined || more.length > 0) return undefined;
  try {
    const claims = parseJson(Buffer.from(payload, "base64url"));
    return isJsonObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}

const unusable = (source: string, problem: string): ServiceError =>
  new ServiceError("IDENTITY", `The identity token of ${source} ${problem}.`);
