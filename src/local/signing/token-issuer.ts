import { randomUUID } from "node:crypto";
import { answerJson, HttpFailure } from "../service/answer";
import { routes } from "../service/request";
import type { Listener } from "../service/service";
import type { SigningKey } from "./keys/signing-key";

/** The identity in a token: a person's email address, or a machine's subject such as a URI. */
export type TokenSubject = {
  /** @default "sigstore" */
  readonly audience?: string | undefined;
  /** @default 600 */
  readonly lifetimeSeconds?: number | undefined;
  /** A CI service's claims about a job, with GitHub's names. */
  readonly workflow?: WorkflowClaims | undefined;
} & (
  | { readonly email: string; readonly subject?: string | undefined }
  | { readonly email?: undefined; readonly subject: string }
);

/** The claims that the certificate authority writes into certificates as facts. */
interface WorkflowClaims {
  /** Such as `acme/stacks`. */
  readonly repository: string;
  readonly sha: string;
  readonly event_name: string;
}

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
      ...wanted.workflow,
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

/** The HTTP API of the issuer: discovery, keys, and `POST /token?email=…` or `?sub=…` without a secret. */
export function issuerListener(issuer: TokenIssuer, log: (line: string) => void): Listener {
  const { address } = issuer;
  return routes("the token issuer", {
    "GET /.well-known/openid-configuration": () => ({
      issuer: address,
      authorization_endpoint: `${address}/auth`,
      token_endpoint: `${address}/token`,
      jwks_uri: `${address}/keys`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["ES256"],
      scopes_supported: ["openid", "email"],
      claims_supported: ["aud", "email", "email_verified", "exp", "iat", "iss", "sub"],
    }),
    "GET /keys": () => issuer.keySet(),
    "POST /token": ({ query, response }) => {
      const subject = readSubject(query);
      log(`issued an identity token for ${subject.email ?? subject.subject}`);
      const token = issuer.issue(subject);
      const expires_in = subject.lifetimeSeconds ?? 600;
      const tokens = { token, id_token: token, access_token: token, token_type: "bearer" };
      answerJson(response, 200, { ...tokens, expires_in }, { "cache-control": "no-store" });
    },
  });
}

function readSubject(query: URLSearchParams): TokenSubject {
  const [email, subject] = [query.get("email"), query.get("sub")];
  const lifetime = query.get("lifetime");
  if (lifetime !== null && !/^\d{1,9}$/.test(lifetime)) {
    throw new HttpFailure(400, "the lifetime must be a number of seconds");
  }
  const common = {
    audience: query.get("audience") ?? undefined,
    lifetimeSeconds: lifetime === null ? undefined : Number(lifetime),
  };
  if (email !== null) return { ...common, email, subject: subject ?? undefined };
  if (subject !== null) return { ...common, subject };
  throw new HttpFailure(400, "the URL must have ?email=… or ?sub=…");
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
