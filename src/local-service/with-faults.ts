import { request as ask, type IncomingMessage } from "node:http";
import { answering, type Answer, type FaultsOf } from "./faults";
import { startService, type Service } from "./service";

/** A request on its way to a service. */
export interface FaultyRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  /** How many requests came before this one. */
  readonly index: number;
}

/** Asked once for each request; undefined lets it pass. */
export type Faults = FaultsOf<FaultyRequest>;

/**
 * A server in front of another one on this machine, at an address of its own, whose requests go wrong as
 * a function says. The request's Host header is handed on, so that addresses in answers lead back here.
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
