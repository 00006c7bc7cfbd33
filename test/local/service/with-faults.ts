import { request as ask, type IncomingMessage } from "node:http";
import { answering, type Answer, type FaultsOf } from "./answering-faults";
import { startService, type Service } from "../../../src/local/service/service";

/** A request on its way to a service. */
export interface FaultyRequest {
  readonly method: string;
  /** The path and the query string. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  /** The number of requests before this one. */
  readonly index: number;
}

/** Called once per request. Undefined means no fault. */
export type Faults = FaultsOf<FaultyRequest>;

/**
 * Starts a proxy for another server on this machine, with its own port, which injects faults. The
 * Host header is passed on, so that URLs in responses refer to the proxy.
 */
export async function withFaults(target: string | URL, faults: Faults): Promise<Service> {
  const { hostname, port } = new URL(target);
  let index = 0;
  return startService(
    answering({
      read(message) {
        const { method = "GET", url: path = "/", headers } = message;
        return { method, path, headers, index: index++, message };
      },
      async answer({ method, path, headers, message }, signal): Promise<Answer> {
        const upstream = ask({ hostname, port, method, path, headers, signal });
        message.pipe(upstream);
        const answer = await new Promise<IncomingMessage>((resolve, reject) => {
          upstream.once("response", resolve);
          upstream.on("error", reject);
        });
        return { status: answer.statusCode ?? 502, headers: answer.headers, body: answer };
      },
      faults,
    }),
  );
}
