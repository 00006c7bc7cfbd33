import { type Failure, isFailure } from "../../../../../src/core/failure/failure";
import type { CallContext } from "../../../../../src/core/http/call-context";
import { createHttpClient, type HttpClient } from "../../../../../src/core/http/client";
import type { TokenSearch } from "../../../../../src/core/signing/sigstore/service/identity-token";
import { closeAfterTest } from "../../../http/close-after-test";
import { VirtualClock } from "../../../http/virtual-clock";

/** A client over real sockets whose waits take no time; its clock begins now. */
export function openClient(clock = new VirtualClock()): {
  readonly http: HttpClient;
  readonly clock: VirtualClock;
  /** Every line of the log. */
  readonly logged: readonly string[];
  readonly context: CallContext;
} {
  const logged: string[] = [];
  const line = (message: string, fields: object) => {
    logged.push(JSON.stringify({ message, ...fields }));
  };
  const http = createHttpClient({ clock, random: () => 0, log: { debug: line, warn: line } });
  closeAfterTest(() => http.close());
  const context = { signal: new AbortController().signal, deadline: clock.now() + 86_400_000 };
  return { http, clock, logged, context };
}

/** The arguments of a token source, with the secrets that it redacts. */
export function openSearch(env: TokenSearch["env"]) {
  const { http, clock, context, logged } = openClient();
  const secrets: string[] = [];
  const redact = (secret: string) => secrets.push(secret);
  const search: TokenSearch = { env, http, context, now: () => clock.now(), redact };
  const token = tokenOf({ sub: "me", exp: clock.now() / 1000 + 600 });
  return { search, token, secrets, logged, clock };
}

export async function failureOf(call: Promise<unknown>): Promise<Failure> {
  const failure: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (isFailure(failure)) return failure;
  throw failure instanceof Error ? failure : new Error("the call did not fail");
}

/** A token with a signature that nobody checks. */
export function tokenOf(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "ES256" })}.${part(claims)}.${Buffer.from("signature").toString("base64url")}`;
}

/** All messages and stacks of an error and its causes. */
export function textsOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return `${error.message}\n${error.stack ?? ""}\n${textsOf(error.cause)}`;
}
