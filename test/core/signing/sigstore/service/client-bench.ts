import { type Failure, isFailure } from "../../../../../src/core/failure/failure";
import type { CallContext } from "../../../../../src/core/http/call-context";
import { createHttpClient, type HttpClient } from "../../../../../src/core/http/client";
import {} from "../../../../../src/core/signing/sigstore/service/call-service";
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

export async function failureOf(call: Promise<unknown>): Promise<Failure> {
  const failure: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (isFailure(failure)) return failure;
  throw failure instanceof Error ? failure : new Error("the call did not fail");
}

/** An unsigned token, as far as its readers go. */
export function tokenOf(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "ES256" })}.${part(claims)}.${Buffer.from("signature").toString("base64url")}`;
}

/** All texts of an error and its causes. */
export function textsOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return `${error.message}\n${error.stack ?? ""}\n${textsOf(error.cause)}`;
}
