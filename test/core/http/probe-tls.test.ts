import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import { createNodeTransport } from "../../../src/core/http/node-transport";
import { createCertificate } from "../../../src/core/provider-kit/host/connection/certificate";
import { closeAfterTest } from "./close-after-test";
import { startScriptedServer } from "./scripted-server";

const never = new AbortController().signal;

/** Sends a request for which it is not known whether the server speaks TLS. */
function send(
  url: string,
  {
    roots,
    signal = never,
    connectMaxMs,
  }: Partial<Record<"roots", string>> & {
    readonly signal?: AbortSignal;
    readonly connectMaxMs?: number;
  } = {},
) {
  const environment = roots === undefined ? {} : { NODE_EXTRA_CA_CERTS: roots };
  const transport = createNodeTransport(environment, connectMaxMs);
  closeAfterTest(() => transport.close());
  return transport.send({ method: "GET", url, headers: {}, signal, mayLackTls: true });
}

async function listen(server: Server, host = "localhost"): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  closeAfterTest(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

describe("a server that may lack TLS", () => {
  test("is refused without root certificates if it lacks TLS", async () => {
    const created = jest.spyOn(tls, "createSecureContext");
    const server = await startScriptedServer(() => ({ body: "{}" }));
    // The file would be reported if it were read.
    const sent = send(`https://127.0.0.1:${server.port}/`, { roots: "/nowhere/roots.pem" });
    await expect(sent).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:EPROTO|ERR_SSL_|ECONNRESET)/) as unknown,
    });
    const calls = created.mock.calls.map(([options]) => options?.ca);
    created.mockRestore();
    expect(calls).toEqual([[]]);
  });

  test("gets one request, over a connection with a trusted certificate, if it has TLS", async () => {
    const { pem, keyPem } = createCertificate();
    let requests = 0;
    const ends: Promise<unknown>[] = [];
    const server = createTlsServer({ cert: pem, key: keyPem }, (_, response) => {
      requests++;
      response.writeHead(200, { connection: "close" }).end("{}");
    });
    // Otherwise the server, or the end of the time to connect, would close them, too.
    Object.assign(server, { headersTimeout: 0, requestTimeout: 0 });
    const connectMaxMs = 2 ** 30;
    server.on("secureConnection", (socket) => {
      ends.push(new Promise((resolve) => socket.on("error", resolve).on("close", resolve)));
    });
    const url = `https://localhost:${await listen(server)}/`;
    const folder = mkdtempSync(join(tmpdir(), "trivet-roots-"));
    closeAfterTest(() => {
      rmSync(folder, { recursive: true });
    });
    const roots = join(folder, "roots.pem");
    writeFileSync(roots, pem);
    await expect(send(url, { connectMaxMs })).rejects.toMatchObject({
      code: "DEPTH_ZERO_SELF_SIGNED_CERT",
    });
    expect(requests).toBe(0);
    expect(await send(url, { roots, connectMaxMs })).toMatchObject({ status: 200 });
    expect(requests).toBe(1);
    // The connections that found out whether it has TLS are closed.
    await Promise.all(ends);
  });

  test("is not there: the connection is refused", async () => {
    const gone = createTcpServer();
    await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    const sent = send(`https://127.0.0.1:${port}/`);
    await expect(sent).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  test("is not there: no timer keeps the process running", async () => {
    const gone = createTcpServer();
    const port = await listen(gone, "127.0.0.1");
    await new Promise((resolve) => gone.close(resolve));
    jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask"] });
    try {
      const sent = send(`https://127.0.0.1:${port}/`);
      await expect(sent).rejects.toMatchObject({ code: "ECONNREFUSED" });
      // The socket closes some turns after its error.
      for (let turn = 0; turn < 100 && jest.getTimerCount() > 0; turn++) {
        await new Promise(setImmediate);
      }
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  test("never answers: connecting has a limit, and can be aborted", async () => {
    const silent = createTcpServer((socket) => socket.on("error", () => socket.destroy()).resume());
    const url = `https://127.0.0.1:${await listen(silent, "127.0.0.1")}/`;
    await expect(send(url, { connectMaxMs: 20 })).rejects.toMatchObject({ code: "ETIMEDOUT" });
    await expect(send(url, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "ABORT_ERR",
    });
    const stop = new AbortController();
    const sent = send(url, { signal: stop.signal });
    setImmediate(() => {
      stop.abort();
    });
    await expect(sent).rejects.toMatchObject({ code: "ABORT_ERR" });
  });
});
