import { type Socket, connect } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";

import {
  type Certificate,
  createCertificate,
} from "../../../../src/provider-kit/host/connection/certificate";
import { createLogger } from "../../../../src/provider-kit/host/log/logging";
import {
  type ProviderServer,
  startServer,
} from "../../../../src/provider-kit/host/connection/provider-server";
import { createGrpcClient } from "../../../../src/provider-kit/wire/grpc/grpc-client";
import { encodeFrame } from "../../../../src/provider-kit/wire/grpc/grpc-frame";

const own = createCertificate();
const client = createCertificate();
const healthPath = "/grpc.health.v1.Health/Check";

let server: ProviderServer;
let log: string[];

beforeEach(async () => {
  log = [];
  const lines = log;
  server = await startServer({
    routes: new Map(),
    env: {},
    tls: { own, client: client.der },
    logger: createLogger({
      name: "x",
      env: { TF_LOG: "warn" },
      write: (line) => lines.push(line),
    }),
    onShutdown: () => undefined,
  });
});
afterEach(() => {
  server.close();
});

function open(certificate?: Certificate, options: ConnectionOptions = {}): Socket {
  return connectTls({
    path: server.address.address,
    servername: "localhost",
    ca: [own.pem],
    ALPNProtocols: ["h2"],
    ...(certificate && { cert: certificate.pem, key: certificate.keyPem }),
    ...options,
  });
}

/** Resolves when the socket is closed, with or without an error. */
function closed(socket: Socket): Promise<void> {
  socket.on("error", () => undefined);
  return new Promise((resolve) => {
    socket.resume().once("close", () => {
      resolve();
    });
  });
}

/** Whether a call over the socket gets a response. */
async function isServed(socket: Socket): Promise<boolean> {
  const grpc = createGrpcClient(socket);
  try {
    await grpc.unary(healthPath, new Uint8Array(0));
    return true;
  } catch {
    return false;
  } finally {
    grpc.close();
  }
}

test.each(["TLSv1.2", "TLSv1.3"] as const)(
  "serves the expected client over %s",
  async (version) => {
    const options = { minVersion: version, maxVersion: version };
    expect(await isServed(open(client, options))).toBe(true);
  },
);

test.each(["TLSv1.2", "TLSv1.3"] as const)(
  "never responds over %s to a client without a certificate or with another one",
  async (version) => {
    const options = { minVersion: version, maxVersion: version };
    expect(await isServed(open(undefined, options))).toBe(false);
    expect(await isServed(open(createCertificate(), options))).toBe(false);
    expect(log).toHaveLength(2);
    expect(log[0]).toContain("the client presented no certificate");
    expect(log[1]).toContain("certificate differs from the one in PLUGIN_CLIENT_CERT");
    expect(await isServed(open(client, options))).toBe(true);
  },
);

test("never responds to a client that has the right certificate without its key", async () => {
  const thief = { ...createCertificate(), pem: client.pem };
  let served = true;
  try {
    served = await isServed(open(thief));
  } catch {
    served = false;
  }
  expect(served).toBe(false);
});

test("refuses a client with TLS 1.1 and one without HTTP/2", async () => {
  expect(await isServed(open(client, { minVersion: "TLSv1.1", maxVersion: "TLSv1.1" }))).toBe(
    false,
  );
  const socket = open(client, { ALPNProtocols: [] });
  await closed(socket);
  expect(log.at(-1)).toContain("does not support HTTP/2");
});

test("sends not a single byte in response to a request that arrives with the handshake", async () => {
  const socket = open(createCertificate());
  const received: Buffer[] = [];
  socket.on("data", (piece: Buffer) => received.push(piece));
  socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  socket.write(encodeFrame(new Uint8Array(0)));
  await closed(socket);
  expect(Buffer.concat(received)).toHaveLength(0);
});

test("closes plain connections and continues", async () => {
  const socket = connect({ path: server.address.address });
  socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  await closed(socket);
  expect(log.at(-1)).toContain("the TLS handshake failed");
  expect(await isServed(open(client))).toBe(true);
});
