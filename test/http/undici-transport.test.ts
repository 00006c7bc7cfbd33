import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createProxy } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createUndiciTransport } from "../../src/http/undici-transport";
import { createCertificate } from "../../src/provider-kit/host/connection/certificate";
import { closeAfterTest } from "./close-after-test";
import { startScriptedServer } from "./scripted-server";

async function startProxy(port: number) {
  const targets: string[] = [];
  const proxy = createProxy();
  // Whatever the client asks for is taken to the test's own server.
  proxy.on("connect", (request, client) => {
    targets.push(request.url ?? "");
    const server = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      server.pipe(client);
      client.pipe(server);
    });
    for (const socket of [server, client]) socket.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = proxy.address();
  closeAfterTest(() => {
    proxy.closeAllConnections();
    return new Promise((resolve) => proxy.close(resolve));
  });
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  return { targets, url };
}

async function start(environment: (proxy: string) => NodeJS.ProcessEnv) {
  const server = await startScriptedServer(() => ({ body: "{}" }));
  const proxy = await startProxy(server.port);
  const transport = createUndiciTransport(environment(proxy.url));
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

  test("never goes to the loopback through a proxy", async () => {
    const { proxy, send, server } = await start((url) => ({ HTTP_PROXY: url, HTTPS_PROXY: url }));
    expect(await send(server.origin)).toMatchObject({ status: 200 });
    expect(proxy.targets).toEqual([]);
  });

  test("leaves hosts of NO_PROXY alone", async () => {
    const { proxy, send } = await start((url) => ({ HTTP_PROXY: url, NO_PROXY: ".invalid" }));
    await expect(send("http://service.invalid/v1/")).rejects.toMatchObject({
      syscall: "getaddrinfo",
    });
    expect(proxy.targets).toEqual([]);
  });

  test("names the file of root certificates that it cannot read", () => {
    const environment = { TRIVET_EXTRA_CA_CERTS: "/nowhere/roots.pem" };
    expect(() => createUndiciTransport(environment)).toThrow("/nowhere/roots.pem");
  });
});

describe("a server with a certificate of its own", () => {
  async function send(environment: (rootsFile: string) => NodeJS.ProcessEnv) {
    const { pem, keyPem } = createCertificate();
    const server = createTlsServer({ cert: pem, key: keyPem }, (_, response) => {
      response.end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
    const folder = mkdtempSync(join(tmpdir(), "trivet-roots-"));
    const rootsFile = join(folder, "roots.pem");
    writeFileSync(rootsFile, pem);
    const transport = createUndiciTransport(environment(rootsFile));
    closeAfterTest(async () => {
      rmSync(folder, { recursive: true });
      await transport.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { signal } = new AbortController();
    const url = `https://localhost:${port}/v1/`;
    return transport.send({ method: "GET", url, headers: {}, signal });
  }

  test.each(["TRIVET_EXTRA_CA_CERTS", "NODE_EXTRA_CA_CERTS"])("is trusted by %s", async (name) => {
    expect(await send((file) => ({ [name]: file }))).toMatchObject({ status: 200 });
  });

  test("is refused otherwise", async () => {
    await expect(send(() => ({}))).rejects.toMatchObject({
      code: "DEPTH_ZERO_SELF_SIGNED_CERT",
    });
  });
});
