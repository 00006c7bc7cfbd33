import { request as ask, type IncomingHttpHeaders } from "node:http";
import type { Listener, Service, ServiceSettings } from "../../../src/local/service/service";
import { startService } from "../../../src/local/service/service";
import { closeAfterTest } from "../../core/http/close-after-test";

/** A service that is closed after the test. */
export async function openService(
  listener: Listener,
  settings: ServiceSettings = {},
): Promise<Service> {
  const service = await startService(listener, settings);
  closeAfterTest(() => service.close());
  return service;
}

export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a plain request on a separate connection. Rejects without a complete response. */
export function send(
  { url }: Pick<Service, "url">,
  { method = "GET", path = "/", headers = {}, body }: Sent = {},
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const message = ask(`${url}${path}`, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const { statusCode: status = 0, headers: received } = response;
        resolve({ status, headers: received, body: Buffer.concat(chunks).toString() });
      });
    });
    message.on("error", reject);
    message.end(body);
  });
}
