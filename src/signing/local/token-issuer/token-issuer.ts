import { randomUUID } from "node:crypto";
import type { SigningKey } from "../keys/signing-key";
import type { TokenSubject } from "./token-subject";

/** Signs identity tokens (OpenID Connect, ES256). */
export class TokenIssuer {
  readonly #key: SigningKey;
  readonly #now: () => Date;

  constructor(
    /** The `iss` claim of its tokens: its own URL. */
    readonly address: string,
    key: SigningKey,
    now: () => Date,
  ) {
    this.#key = key;
    this.#now = now;
  }

  issue(wanted: TokenSubject): string {
    const issuedAt = Math.floor(this.#now().getTime() / 1000);
    const { email } = wanted;
    const claims = {
      iss: this.address,
      sub: wanted.subject ?? email,
      aud: wanted.audience ?? "sigstore",
      iat: issuedAt,
      nbf: issuedAt,
      exp: issuedAt + (wanted.lifetimeSeconds ?? 600),
      jti: randomUUID(),
      ...(email === undefined ? {} : { email, email_verified: true }),
    };
    const header = { alg: "ES256", typ: "JWT", kid: this.#keyId };
    const signed = `${encode(header)}.${encode(claims)}`;
    return `${signed}.${this.#key.signFixedSize(Buffer.from(signed)).toString("base64url")}`;
  }

  /** The JSON Web Key Set with which tokens are verified. */
  keySet(): unknown {
    // SubjectPublicKeyInfo ends with the uncompressed point: 32 bytes for x, and 32 bytes for y.
    const point = this.#key.spki.subarray(-64);
    const x = point.subarray(0, 32).toString("base64url");
    const y = point.subarray(32).toString("base64url");
    const key = { kty: "EC", crv: "P-256", use: "sig", alg: "ES256", kid: this.#keyId, x, y };
    return { keys: [key] };
  }

  get #keyId(): string {
    return this.#key.id.toString("hex").slice(0, 16);
  }
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
