import { createServer, type IncomingMessage } from "node:http";

export interface ScriptedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** A string is sent unchanged, anything else as JSON. */
  readonly body: unknown;
}

/** A server on a real socket whose responses the test defines. */
export async function startScriptedServer(
  answer: (request: ScriptedRequest, number: number) => ScriptedAnswer,
) {
  const requests: ScriptedRequest[] = [];
  const server = createServer((message, response) => {
    const chunks: Buffer[] = [];
    message.on("data", (chunk: Buffer) => chunks.push(chunk));
    message.on("end", () => {
      const { method = "", url = "", headers } = message;
      const request = { method, url, headers, body: Buffer.concat(chunks).toString() };
      requests.push(request);
      const { status = 200, headers: extra = {}, body } = answer(request, requests.length);
      response.writeHead(status, { "content-type": "application/json", ...extra });
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    requests,
    port,
    url: `http://127.0.0.1:${port}/v1/`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
