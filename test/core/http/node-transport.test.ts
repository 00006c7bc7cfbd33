import dns from "node:dns";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import tls from "node:tls";
import { loopbackLookup } from "../../../src/core/http/node-exchange";
import { goesToLoopback } from "../../../src/core/schema";
import { createNodeTransport } from "../../../src/core/http/node-transport";
import { createCertificate } from "../../../src/core/provider-kit/host/connection/certificate";
import { closeAfterTest } from "./close-after-test";
import { startProxy } from "./start-proxy";
import { startScriptedServer, type Script } from "./scripted-server";
import type { TransportAnswer } from "../../../src/core/http/transport";

function portOf(server: Pick<Server, "address">): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function readAll({ body }: TransportAnswer): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe("localhost and the names below it", () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test.each(["localhost", "registry.localhost", "a.b.LOCALHOST"])(
    "%s is this machine, whatever a resolver or a proxy says",
    async (host) => {
      const { server, proxy, send } = await start((url) => ({ HTTP_PROXY: url, HTTPS_PROXY: url }));
      const asked = jest.spyOn(dns, "lookup");
      expect(await readAll(await send(`http://${host}:${server.port}/`))).toBe("{}");
      expect(asked).not.toHaveBeenCalled();
      expect(proxy.targets).toEqual([]);
    },
  );

  test.each([
    [4, { address: "127.0.0.1", family: 4 }],
    [6, { address: "::1", family: 6 }],
    [0, { address: "127.0.0.1", family: 4 }],
  ])("have the loopback address of the family %i", async (family, expected) => {
    const found = await new Promise((resolve) => {
      loopbackLookup("localhost", { family }, (_, address, version) => {
        resolve({ address, family: version });
      });
    });
    expect(found).toEqual(expected);
  });

  test.each(["localhost.example", "xlocalhost", "localhost.evil"])("%s is not", (host) => {
    expect(goesToLoopback(host)).toBe(false);
  });
});

async function start(environment: (proxy: string) => NodeJS.ProcessEnv, proxyStatus?: number) {
  const server = await startScriptedServer(() => ({ body: "{}" }));
  const proxy = await startProxy(server.port, proxyStatus);
  const transport = createNodeTransport(environment(proxy.url));
  closeAfterTest(() => transport.close());
  const { signal } = new AbortController();
  const send = (url: string) => transport.send({ method: "GET", url, headers: {}, signal });
  return { server, proxy, send };
}

describe("the HTTP transport", () => {
  test("goes through the proxy of the environment", async () => {
    const { proxy, send } = await start((url) => ({ HTTP_PROXY: url }));
    expect(await send("http://service.invalid/v1/")).toMatchObject({ status: 200 });
    expect(proxy.targets).toEqual(["service.invalid:80"]);
  });

  test("keeps the connection through a proxy for the next request", async () => {
    const { proxy, send } = await start((url) => ({ HTTP_PROXY: url }));
    for (let number = 0; number < 3; number += 1) await readAll(await send("http://a.invalid/"));
    expect(proxy.targets).toEqual(["a.invalid:80"]);
  });

  test.each(["http", "https"])(
    "never mistakes a proxy's response for the server's: %s",
    async (scheme) => {
      for (const status of [302, 401, 404, 407]) {
        const { send } = await start((url) => ({ HTTP_PROXY: url }), status);
        const failure = { code: "PROXY_REFUSED" };
        await expect(send(`${scheme}://service.invalid/`)).rejects.toMatchObject(failure);
      }
    },
  );

  test("never connects to the loopback interface through a proxy", async () => {
    const { proxy, send, server } = await start((url) => ({ HTTP_PROXY: url, HTTPS_PROXY: url }));
    expect(await send(server.origin)).toMatchObject({ status: 200 });
    expect(proxy.targets).toEqual([]);
  });

  test("connects directly to hosts in NO_PROXY", async () => {
    const { proxy, send } = await start((url) => ({ HTTP_PROXY: url, NO_PROXY: ".invalid" }));
    await expect(send("http://service.invalid/v1/")).rejects.toMatchObject({ code: "ENOTFOUND" });
    expect(proxy.targets).toEqual([]);
  });

  test("reports a file of root certificates that it cannot read", async () => {
    const transport = createNodeTransport({ TRIVET_EXTRA_CA_CERTS: "/nowhere/roots.pem" });
    const { signal } = new AbortController();
    const request = { method: "GET", url: "https://localhost:1/", headers: {}, signal } as const;
    await expect(transport.send(request)).rejects.toThrow("/nowhere/roots.pem");
  });
});

test("a connection that is not established in time fails", async () => {
  // Accepts connections, but never starts TLS.
  const server = createTcpServer((socket) => socket.resume().on("error", () => socket.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const transport = createNodeTransport({}, 20);
  closeAfterTest(async () => {
    await transport.close();
    await new Promise((resolve) => server.close(resolve));
  });
  const { signal } = new AbortController();
  const url = `https://127.0.0.1:${portOf(server)}/`;
  const sent = transport.send({ method: "GET", url, headers: {}, signal });
  await expect(sent).rejects.toMatchObject({ code: "ETIMEDOUT" });
});

test.each(["http", "https"])(
  "a server may respond later than the time to connect: %s",
  async (scheme) => {
    const { pem, keyPem } = createCertificate();
    let respond = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      respond = resolve;
    });
    const answers: ServerResponse[] = [];
    const listener = (_: IncomingMessage, response: ServerResponse): void => {
      answers.push(response);
      respond();
    };
    const server =
      scheme === "http"
        ? createServer(listener)
        : createTlsServer({ cert: pem, key: keyPem }, listener);
    await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
    const transport = createNodeTransport({}, 5_000);
    closeAfterTest(async () => {
      await transport.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask"] });
    try {
      const { signal } = new AbortController();
      const url = `${scheme}://localhost:${portOf(server)}/`;
      const request = { method: "GET", url, headers: {}, signal, rootCertificates: pem } as const;
      const sent = transport.send(request);
      await Promise.race([asked, sent]);
      jest.advanceTimersByTime(5_000);
      answers[0]?.end("{}");
      expect(await sent).toMatchObject({ status: 200 });
    } finally {
      jest.useRealTimers();
    }
  },
);

test("a proxy that never responds causes an error", async () => {
  const proxy = createServer().on("connect", () => undefined);
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const transport = createNodeTransport({ HTTP_PROXY: `http://127.0.0.1:${portOf(proxy)}` }, 20);
  const sockets = new Set<Socket>();
  proxy.on("connection", (socket) => sockets.add(socket));
  closeAfterTest(async () => {
    await transport.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => proxy.close(resolve));
  });
  const { signal } = new AbortController();
  const url = "https://service.invalid/";
  const sent = transport.send({ method: "GET", url, headers: {}, signal });
  await expect(sent).rejects.toMatchObject({ code: "ETIMEDOUT" });
});

test("a server that sends nothing causes an error, but a slow reader does not", async () => {
  const server = await startScriptedServer((_request, _number, response) => {
    response.writeHead(200, { "content-length": "9" }).write("begin");
    return undefined;
  });
  const transport = createNodeTransport({});
  closeAfterTest(() => transport.close());
  const { signal } = new AbortController();
  const answer = await transport.send({
    method: "GET",
    url: server.origin,
    headers: {},
    signal,
    silenceMs: 1_000_000,
  });
  const { body } = answer;
  if (!(body instanceof IncomingMessage)) throw new Error("another body");
  await new Promise((resolve) => body.once("readable", resolve));
  body.socket.emit("timeout");
  expect(String(body.read())).toBe("begin");
  expect(body.destroyed).toBe(false);
  body.socket.emit("timeout");
  await expect(readAll(answer)).rejects.toMatchObject({ code: "SERVER_SILENT" });
});

describe("a streamed request body", () => {
  async function startSending(script: Script) {
    const server = await startScriptedServer(script);
    const transport = createNodeTransport({});
    closeAfterTest(() => transport.close());
    const send = (body: AsyncIterable<Uint8Array>, headers = {}, signal?: AbortSignal) =>
      transport.send({
        method: "PUT",
        url: server.origin,
        headers,
        body,
        signal: signal ?? new AbortController().signal,
      });
    return { server, send };
  }

  test.each(["1", "3"])("is compared with its length: %s", async (length) => {
    const { send, server } = await startSending(() => ({}));
    const sent = send(Readable.from([Buffer.from("ab")]), { "content-length": length });
    await expect(sent).rejects.toMatchObject({ code: "WRONG_LENGTH" });
    expect(server.requests).toEqual([]);
  });

  test("ends the request with its own error", async () => {
    const { send } = await startSending(() => ({}));
    const failure = Object.assign(new Error("no such layer"), { code: "GONE" });
    // eslint-disable-next-line @typescript-eslint/require-await, require-yield
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      throw failure;
    };
    await expect(send(failing())).rejects.toBe(failure);
  });

  test("is not read further once the server has responded", async () => {
    const server = createServer((_, response) => {
      response.writeHead(413).end("too much");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const transport = createNodeTransport({});
    closeAfterTest(async () => {
      await transport.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    const closed = new Promise<void>((resolve) => {
      const endless = async function* (): AsyncGenerator<Uint8Array> {
        try {
          for (;;) {
            yield Buffer.alloc(16);
            await new Promise((next) => setImmediate(next));
          }
        } finally {
          resolve();
        }
      };
      const { signal } = new AbortController();
      const url = `http://127.0.0.1:${portOf(server)}/`;
      const request = { method: "PUT", url, headers: {}, body: endless(), signal } as const;
      transport.send(request).then(readAll, resolve);
    });
    await closed;
  });

  test("is announced with its length, also with a method for which Node.js does not do it", async () => {
    const server = await startScriptedServer(() => ({}));
    const transport = createNodeTransport({});
    closeAfterTest(() => transport.close());
    const { signal } = new AbortController();
    const request = {
      method: "DELETE",
      url: server.origin,
      headers: {},
      body: "{ü}",
      signal,
    } as const;
    await readAll(await transport.send(request));
    expect(server.requests).toMatchObject([{ headers: { "content-length": "4" } }]);
    expect(server.requests[0]?.headers["transfer-encoding"]).toBeUndefined();
  });

  test("is not waited for once the signal has ended the request: its connection is closed", async () => {
    const abort = new AbortController();
    let closed: Promise<unknown> | undefined;
    const { send } = await startSending((_, __, response) => {
      closed = new Promise((resolve) => response.once("close", resolve));
      abort.abort();
      return undefined;
    });
    const sent = send(Readable.from([Buffer.from("ab")]), {}, abort.signal);
    await expect(sent).rejects.toMatchObject({ code: "ABORT_ERR" });
    await closed;
  });

  test("is ended by the signal, before and during the response", async () => {
    const abort = new AbortController();
    const { send } = await startSending((_, number, response) => {
      if (number === 1) abort.abort();
      else response.writeHead(200, { "content-length": "9" }).write("begin");
      return undefined;
    });
    const body = () => Readable.from([Buffer.from("ab")]);
    await expect(send(body(), {}, abort.signal)).rejects.toMatchObject({ code: "ABORT_ERR" });
    await expect(send(body(), {}, abort.signal)).rejects.toMatchObject({ code: "ABORT_ERR" });
    const later = new AbortController();
    const answer = await send(body(), {}, later.signal);
    later.abort();
    await expect(readAll(answer)).rejects.toMatchObject({ code: "ABORT_ERR" });
  });
});

describe("a server with its own certificate", () => {
  async function sender(
    environment: (rootsFile: string) => NodeJS.ProcessEnv,
    host = "localhost",
    through?: (port: number) => Promise<NodeJS.ProcessEnv>,
  ) {
    const { pem, keyPem } = createCertificate();
    const server = createTlsServer({ cert: pem, key: keyPem }, (_, response) => {
      response.writeHead(200, { connection: "close" }).end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
    const folder = mkdtempSync(join(tmpdir(), "trivet-roots-"));
    const rootsFile = join(folder, "roots.pem");
    writeFileSync(rootsFile, pem);
    const transport = createNodeTransport({
      ...environment(rootsFile),
      ...(await through?.(portOf(server))),
    });
    closeAfterTest(async () => {
      rmSync(folder, { recursive: true });
      await transport.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    const { signal } = new AbortController();
    const url = `https://${host}:${portOf(server)}/v1/`;
    return (rootCertificates?: string) =>
      transport.send({ method: "GET", url, headers: {}, signal, rootCertificates });
  }

  const send = async (...given: Parameters<typeof sender>): Promise<TransportAnswer> =>
    (await sender(...given))();

  test.each(["TRIVET_EXTRA_CA_CERTS", "NODE_EXTRA_CA_CERTS"])("is trusted by %s", async (name) => {
    expect(await send((file) => ({ [name]: file }))).toMatchObject({ status: 200 });
  });

  test("is trusted by the roots of a request, for that request only", async () => {
    let rootsFile = "";
    const sending = await sender((file) => ({ UNUSED: (rootsFile = file) }));
    expect(await sending(readFileSync(rootsFile, "utf8"))).toMatchObject({ status: 200 });
    await expect(sending()).rejects.toMatchObject({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  });

  test("has its roots read once for all connections", async () => {
    const created = jest.spyOn(tls, "createSecureContext");
    const once = await sender((file) => ({ NODE_EXTRA_CA_CERTS: file }));
    for (let count = 0; count < 3; count++) expect(await readAll(await once())).toBe("{}");
    const withRoots = created.mock.calls.filter(([options]) => options?.ca !== undefined);
    created.mockRestore();
    expect(withRoots).toHaveLength(1);
  });

  test("has its roots read once for all clients of a process", async () => {
    const created = jest.spyOn(tls, "createSecureContext");
    let rootsFile = "";
    const first = await sender((file) => ({ NODE_EXTRA_CA_CERTS: (rootsFile = file) }));
    expect(await readAll(await first())).toBe("{}");
    for (let count = 0; count < 2; count++) {
      const other = await sender(() => ({ NODE_EXTRA_CA_CERTS: rootsFile }));
      // Its own certificate is another one, which the shared roots do not contain.
      await expect(other()).rejects.toMatchObject({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
    }
    const withRoots = created.mock.calls.filter(([options]) => options?.ca !== undefined);
    created.mockRestore();
    expect(withRoots).toHaveLength(1);
  });

  test("has no roots read for plain http, through a proxy or not", async () => {
    const created = jest.spyOn(tls, "createSecureContext");
    const { send: direct, server } = await start(() => ({ NODE_EXTRA_CA_CERTS: __filename }));
    await direct(`http://127.0.0.1:${server.port}/`);
    const { send: proxied } = await start((url) => ({
      HTTP_PROXY: url,
      NODE_EXTRA_CA_CERTS: __filename,
    }));
    await proxied("http://service.invalid/");
    const calls = created.mock.calls.length;
    created.mockRestore();
    expect(calls).toBe(0);
  });

  test("needs one for its own name behind a proxy too", async () => {
    const through = async (port: number) => ({ HTTPS_PROXY: (await startProxy(port)).url });
    const trusting = (file: string) => ({ TRIVET_EXTRA_CA_CERTS: file });
    await expect(send(trusting, "service.invalid", through)).rejects.toMatchObject({
      code: "ERR_TLS_CERT_ALTNAME_INVALID",
    });
    await expect(send(() => ({}), "service.invalid", through)).rejects.toMatchObject({
      code: "DEPTH_ZERO_SELF_SIGNED_CERT",
    });
  });

  test("is refused otherwise", async () => {
    await expect(send(() => ({}))).rejects.toMatchObject({
      code: "DEPTH_ZERO_SELF_SIGNED_CERT",
    });
  });
});
