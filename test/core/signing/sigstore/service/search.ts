import type { TokenSearch } from "../../../../../src/core/signing/sigstore/service/identity-token";
import { openClient, tokenOf } from "../service/client-bench";

/** What a source needs, with the secrets that it wants redacted. */
export function openSearch(env: TokenSearch["env"]) {
  const { http, clock, context, logged } = openClient();
  const secrets: string[] = [];
  const redact = (secret: string) => secrets.push(secret);
  const search: TokenSearch = { env, http, context, now: () => clock.now(), redact };
  const token = tokenOf({ sub: "me", exp: clock.now() / 1000 + 600 });
  return { search, token, secrets, logged, clock };
}
