import { once } from "node:events";
import { existsSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { type AddressInfo, type Server, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { bind } from "../../../../../src/core/provider-kit/host/connection/address";

const servers: Server[] = [];
const newServer = (): Server => {
  const server = createServer();
  servers.push(server);
  return server;
};
const folder = mkdtempSync(join(realpathSync(tmpdir()), "address-"));

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

test("listens in a new folder that only the owner can enter", async () => {
  const { network, address, remove } = await bind(newServer(), { PLUGIN_UNIX_SOCKET_DIR: folder });
  expect(network).toBe("unix");
  expect(dirname(dirname(address))).toBe(folder);
  expect(statSync(dirname(address)).mode & 0o777).toBe(0o700);
  remove();
  expect(existsSync(dirname(address))).toBe(false);
  expect(remove).not.toThrow();
});

test("uses /tmp if the path would be too long for a socket", async () => {
  const deep = join(folder, "x".repeat(100));
  const { address, remove } = await bind(newServer(), { PLUGIN_UNIX_SOCKET_DIR: deep });
  expect(dirname(dirname(address))).toBe("/tmp");
  expect(Buffer.byteLength(address)).toBeLessThan(104);
  remove();
});

test("clients can connect", async () => {
  const server = newServer();
  const { address, remove } = await bind(server, { PLUGIN_UNIX_SOCKET_DIR: folder });
  const client = connect(address);
  await once(server, "connection");
  client.destroy();
  remove();
});

test("leaves nothing behind when it cannot listen", async () => {
  const server = newServer();
  // What fails in Node.js fails here, whatever has called it.
  const refuse = () => server.emit("error", new Error("cannot listen"));
  Object.defineProperty(server, "_listen2", { value: refuse });
  const before = mkdtempSync(join(folder, "empty-"));
  await expect(bind(server, { PLUGIN_UNIX_SOCKET_DIR: before })).rejects.toThrow(/listen/i);
  expect(() => {
    rmSync(before, { recursive: false, force: false });
  }).toThrow(/directory/);
  expect(statSync(before).nlink).toBe(2);
});

test("uses the first free port of the range on Windows", async () => {
  const taken = newServer();
  taken.listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const range = { PLUGIN_MIN_PORT: String(port), PLUGIN_MAX_PORT: "65535" };
  const { network, address } = await bind(newServer(), range, "win32");
  const [host, chosen] = address.split(":");
  expect([network, host]).toEqual(["tcp", "127.0.0.1"]);
  expect(Number(chosen)).toBeGreaterThan(port);
});

test("reports the range if all its ports are in use", async () => {
  const taken = newServer();
  taken.listen(0, "127.0.0.1");
  await once(taken, "listening");
  const port = String((taken.address() as AddressInfo).port);
  await expect(
    bind(newServer(), { PLUGIN_MIN_PORT: port, PLUGIN_MAX_PORT: port }, "win32"),
  ).rejects.toThrow(`PLUGIN_MIN_PORT (${port}) and PLUGIN_MAX_PORT (${port})`);
});

test("refuses an invalid port", async () => {
  await expect(bind(newServer(), { PLUGIN_MIN_PORT: "http" }, "win32")).rejects.toThrow(
    'PLUGIN_MIN_PORT must be a port number (got "http").',
  );
});
