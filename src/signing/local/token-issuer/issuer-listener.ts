import { answerJson } from "../../../local-service/answer";
import { HttpFailure } from "../../../local-service/http-failure";
import type { Listener } from "../../../local-service/service";
import type { TokenIssuer } from "./token-issuer";
import type { TokenSubject } from "./token-subject";

/** The HTTP API of the issuer: discovery, keys, and `POST /token?email=…` or `?sub=…` without a secret. */
export function issuerListener(issuer: TokenIssuer, log: (line: string) => void): Listener {
  return (request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const { address } = issuer;
    switch (`${request.method ?? ""} ${url.pathname}`) {
      case "GET /.well-known/openid-configuration":
        answerJson(response, 200, {
          issuer: address,
          authorization_endpoint: `${address}/auth`,
          token_endpoint: `${address}/token`,
          jwks_uri: `${address}/keys`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["ES256"],
          scopes_supported: ["openid", "email"],
          claims_supported: ["aud", "email", "email_verified", "exp", "iat", "iss", "sub"],
        });
        return;
      case "GET /keys":
        answerJson(response, 200, issuer.keySet());
        return;
      case "POST /token": {
        const subject = readSubject(url.searchParams);
        log(`issued an identity token for ${subject.email ?? subject.subject}`);
        const token = issuer.issue(subject);
        const expires_in = subject.lifetimeSeconds ?? 600;
        const body = {
          token,
          id_token: token,
          access_token: token,
          token_type: "bearer",
          expires_in,
        };
        answerJson(response, 200, body, { "cache-control": "no-store" });
        return;
      }
      default:
        throw new HttpFailure(404, "the token issuer has no such path");
    }
  };
}

function readSubject(query: URLSearchParams): TokenSubject {
  const [email, subject] = [query.get("email"), query.get("sub")];
  const lifetime = query.get("lifetime");
  if (lifetime !== null && !/^\d{1,9}$/.test(lifetime)) {
    throw new HttpFailure(400, "the lifetime is a number of seconds");
  }
  const common = {
    audience: query.get("audience") ?? undefined,
    lifetimeSeconds: lifetime === null ? undefined : Number(lifetime),
  };
  if (email !== null) return { ...common, email, subject: subject ?? undefined };
  if (subject !== null) return { ...common, subject };
  throw new HttpFailure(400, "the URL needs ?email=… or ?sub=…");
}
