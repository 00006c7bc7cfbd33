import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { closeAfterTest } from "./close-after-test";

export interface ScriptedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

/** Handles a request: returns a response, or writes the response (or nothing) itself. */
export type Script = (
  request: ScriptedRequest,
  number: number,
  response: ServerResponse,
) => ScriptedAnswer | undefined | Promise<ScriptedAnswer | undefined>;

/** A server on a real socket whose responses the test defines. It is closed after the test. */
export async function startScriptedServer(script: Script, host = "127.0.0.1") {
  const requests: ScriptedRequest[] = [];
  const handle = async (message: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    const { method = "", url = "", headers } = message;
    const request = { method, url, headers, body: Buffer.concat(chunks) };
    requests.push(request);
    const answer = await script(request, requests.length, response);
    if (answer === undefined) return;
    response.writeHead(answer.status ?? 200, answer.headers);
    response.end(answer.body ?? "");
  };
  const server = createServer((message, response) => {
    handle(message, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  closeAfterTest(close);
  return { requests, port, origin: `http://127.0.0.1:${port}`, close };
}
