import type { HttpClient } from "../../../http/client";
import { sendForLibrary } from "./library-request";

/** Sends the requests of Google's library with our client: those that exchange credentials for a token. */
export function googleFetch(http: HttpClient): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const sent = Buffer.from(await request.arrayBuffer());
    const { status, headers, body } = await sendForLibrary(http, {
      method: request.method,
      url: request.url,
      signal: request.signal,
      headers: Object.fromEntries(request.headers),
      body: sent.byteLength === 0 ? undefined : sent,
    });
    return new Response(body.byteLength === 0 ? null : body, { status, headers });
  };
}
