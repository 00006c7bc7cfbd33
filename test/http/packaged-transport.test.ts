import { readdirSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { closeAfterTest } from "./close-after-test";
import type * as NodeTransport from "../../src/http/node-transport";
import { startScriptedServer } from "./scripted-server";

const folder = join(__dirname, "../../dist/providers/ids");

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

test("a packaged provider connects through a proxy, with the library in the package", async () => {
  const server = await startScriptedServer(() => ({ body: "through the proxy" }));
  const targets: string[] = [];
  const proxy = createServer().on("connect", ({ url = "" }, client) => {
    targets.push(url);
    const socket = connect(server.port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      socket.pipe(client).pipe(socket);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  closeAfterTest(() => new Promise((resolve) => proxy.close(resolve)));
  const file = readdirSync(folder).find((name) => name.startsWith("node-transport-"));
  const { createNodeTransport } = jest.requireActual<typeof NodeTransport>(
    join(folder, file ?? ""),
  );
  const transport = createNodeTransport({ HTTP_PROXY: `http://127.0.0.1:${portOf(proxy)}` });
  closeAfterTest(() => transport.close());
  const { body } = await transport.send({
    ...{ method: "GET", url: "http://service.invalid/", headers: {} },
    signal: new AbortController().signal,
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe("through the proxy");
  expect(targets).toEqual(["service.invalid:80"]);
});
