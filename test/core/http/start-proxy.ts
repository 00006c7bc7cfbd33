import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { closeAfterTest } from "./close-after-test";

/** A proxy that sends every request to one server of the test, or refuses all with a status. */
export async function startProxy(port: number, status = 200) {
  const targets: string[] = [];
  const proxy = createServer();
  // Every request is sent to the test's own server.
  proxy.on("connect", (request, client) => {
    targets.push(request.url ?? "");
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} No\r\nContent-Length: 2\r\n\r\n{}`);
      return;
    }
    const server = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      server.pipe(client);
      client.pipe(server);
    });
    for (const socket of [server, client]) socket.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  closeAfterTest(() => {
    proxy.closeAllConnections();
    return new Promise((resolve) => proxy.close(resolve));
  });
  return { targets, url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
}
