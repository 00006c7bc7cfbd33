import type { IncomingMessage } from "node:http";
import { HttpFailure } from "./http-failure";

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Lets only programs of this machine in.
 *
 * A web page could otherwise reach us: by a host name that resolves to the loopback, or blindly.
 *
 * @throws HttpFailure
 */
export function checkSender({ headers }: IncomingMessage): void {
  if (!loopback.test(headers.host ?? "")) {
    throw new HttpFailure(403, "the Host header has to name the loopback");
  }
  if (headers.origin !== undefined) {
    throw new HttpFailure(403, "requests of web pages are not answered");
  }
}
