import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { createServer as createTlsServer } from "node:https";
import { join } from "node:path";
import { build } from "esbuild";
import { createCertificate } from "../../../src/core/provider-kit/host/connection/certificate";
import { temporaryFolder } from "../../cli/temporary-folder";
import { compileHere } from "../../cli/provider-package/compiled/compile-here";
import { closeAfterTest } from "./close-after-test";
import { startProxy } from "./start-proxy";
import { startScriptedServer } from "./scripted-server";

/** Sends requests one after another, and prints what became of each. */
const program = `
  import { createNodeTransport } from "./src/core/http/node-transport";
  async function main() {
    const transport = createNodeTransport(process.env, 500);
    for (const url of process.argv.slice(2)) {
      const { signal } = new AbortController();
      try {
        const { status, body } = await transport.send({ method: "GET", url, headers: {}, signal });
        let text = "";
        for await (const piece of body) text += Buffer.from(piece).toString();
        console.log(status + " " + text);
      } catch (failure) { console.log((failure as { code?: string }).code); }
    }
    await transport.close();
  }
  void main();`;

let executable = "";

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: join(__dirname, "../../.."), loader: "ts" },
    bundle: true,
    platform: "node",
    format: "cjs",
    write: false,
  });
  executable = join(temporaryFolder(), "sender");
  const content = await compileHere(outputFiles[0]?.text ?? "");
  writeFileSync(executable, content, { mode: 0o755 });
});

/** What became of each request of the compiled program, in an environment of its own. */
async function sent(
  env: Record<string, string>,
  ...urls: readonly string[]
): Promise<readonly string[]> {
  const child = spawn(executable, urls, { env, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (piece: Buffer) => (output += piece.toString()));
  await once(child, "close");
  return output.trim().split("\n");
}

// The runtime has a client of its own below node:http, which knows the same variables.

test("never connects to the loopback interface through a proxy, and to others through it", async () => {
  const server = await startScriptedServer(() => ({ body: "{}" }));
  const proxy = await startProxy(server.port);
  const { url } = proxy;
  const env = { HTTP_PROXY: url, HTTPS_PROXY: url, http_proxy: url, https_proxy: url };
  const here = [server.origin, `http://localhost:${server.port}/`];
  expect(await sent(env, ...here)).toEqual(["200 {}", "200 {}"]);
  expect(proxy.targets).toEqual([]);
  expect(await sent(env, "http://service.invalid/v1/")).toEqual(["200 {}"]);
  expect(proxy.targets).toEqual(["service.invalid:80"]);
});

test("connects directly to hosts in NO_PROXY", async () => {
  const proxy = await startProxy(1);
  const env = { HTTP_PROXY: proxy.url, NO_PROXY: ".invalid" };
  expect(await sent(env, "http://service.invalid/v1/")).toEqual(["ENOTFOUND"]);
  expect(proxy.targets).toEqual([]);
});

test("never mistakes a proxy's response for the server's", async () => {
  for (const status of [302, 407]) {
    const { url } = await startProxy(1, status);
    const env = { HTTP_PROXY: url, HTTPS_PROXY: url };
    const urls = ["http://service.invalid/", "https://service.invalid/"];
    expect(await sent(env, ...urls)).toEqual(["PROXY_REFUSED", "PROXY_REFUSED"]);
  }
});

test("follows no redirect", async () => {
  const server = await startScriptedServer((_, number) =>
    number === 1 ? { status: 302, headers: { location: "/other" }, body: "moved" } : {},
  );
  expect(await sent({}, server.origin)).toEqual(["302 moved"]);
  expect(server.requests).toHaveLength(1);
});

test("fails when a connection is not established in time", async () => {
  // Accepts connections, but never starts TLS.
  const server = createTcpServer((socket) => socket.resume().on("error", () => socket.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closeAfterTest(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as AddressInfo;
  expect(await sent({}, `https://127.0.0.1:${port}/`)).toEqual(["ETIMEDOUT"]);
});

describe("a server with its own certificate", () => {
  async function start(): Promise<{ port: number; roots: string }> {
    const { pem, keyPem } = createCertificate();
    const server = createTlsServer({ cert: pem, key: keyPem }, (_, response) => {
      response.writeHead(200, { connection: "close" }).end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
    closeAfterTest(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
    const roots = join(temporaryFolder(), "roots.pem");
    writeFileSync(roots, pem);
    return { port: (server.address() as AddressInfo).port, roots };
  }

  test("is refused", async () => {
    const { port } = await start();
    expect(await sent({}, `https://localhost:${port}/`)).toEqual(["DEPTH_ZERO_SELF_SIGNED_CERT"]);
  });

  test("is trusted by NODE_EXTRA_CA_CERTS, under its name only", async () => {
    const { port, roots } = await start();
    const proxy = await startProxy(port);
    const env = { NODE_EXTRA_CA_CERTS: roots, HTTPS_PROXY: proxy.url };
    const urls = [`https://localhost:${port}/`, "https://service.invalid/"];
    expect(await sent(env, ...urls)).toEqual(["200 {}", "ERR_TLS_CERT_ALTNAME_INVALID"]);
  });
});
