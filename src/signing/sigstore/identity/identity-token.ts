import type { CallContext } from "../../../http/call-context";
import { parseJson } from "../../../json/parse-json";
import { isJsonObject, type JsonObject } from "../../../json/json-value";
import { ServiceError } from "../service/call-service";

/** An OpenID Connect token of the signer. */
export interface IdentityToken {
  /** The encoded token: a secret. */
  readonly text: string;
  /** The email address, or the subject without one. The signer signs it as proof of possession. */
  readonly subject: string;
  /** The name that the certificate must contain. For tokens without it, the authority derives a name. */
  readonly email?: string | undefined;
  readonly expiresAt: Date;
}

/** Finds the signer's identity token; undefined if there is none. */
export type IdentitySource = (context: CallContext) => Promise<IdentityToken | undefined>;

/**
 * Reads the claims of a token. Its signature is verified by the certificate authority.
 *
 * @param source where the token comes from, for messages
 * @throws ServiceError `IDENTITY`; the message quotes nothing of the token
 * @see https://www.rfc-editor.org/rfc/rfc7519
 */
export function readIdentityToken(text: string, source: string): IdentityToken {
  const trimmed = text.trim();
  const claims = claimsOf(trimmed);
  if (claims === undefined) throw unusable(source, "is not a JSON Web Token");
  const { email, sub, exp } = claims;
  const address = typeof email === "string" && email !== "" ? email : undefined;
  const subject = address ?? sub;
  if (typeof subject !== "string" || subject === "") {
    throw unusable(source, "has neither an email address nor a subject");
  }
  if (typeof exp !== "number") throw unusable(source, "has no expiry time (exp)");
  return { text: trimmed, subject, email: address, expiresAt: new Date(exp * 1000) };
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
  new ServiceError("IDENTITY", `The identity token from ${source} ${problem}.`);
