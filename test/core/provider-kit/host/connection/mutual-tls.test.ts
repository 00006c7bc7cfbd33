import { type Socket, connect } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";

import {
  type Certificate,
  createCertificate,
  toPem,
} from "../../../../../src/core/provider-kit/host/connection/certificate";
import { createLogger } from "../../../../../src/core/provider-kit/records/logging";
import { startServer } from "../../../../../src/core/provider-kit/host/connection/provider-server";
import { spawnProvider } from "../../../../../src/core/provider-kit/testing/spawn-provider";
import { createGrpcClient } from "../../../../../src/core/provider-kit/wire/grpc/grpc-client";
import { encodeFrame } from "../../../../../src/core/provider-kit/wire/grpc/grpc-frame";
import { until } from "../../../../until";
import { type Fixture, buildFixture } from "../fixture";

const healthPath = "/grpc.health.v1.Health/Check";

/** A provider's server, to whose address anybody can connect. */
interface Served {
  readonly address: string;
  /** The server's certificate, in PEM. */
  readonly own: string;
  /** The client that it expects. */
  readonly client: Certificate;
  /** The lines of its log so far. */
  readonly log: () => readonly string[];
  readonly close: () => Promise<void>;
}

async function serveHere(): Promise<Served> {
  const own = createCertificate();
  const client = createCertificate();
  const log: string[] = [];
  const server = await startServer({
    routes: new Map(),
    env: {},
    tls: { own, client: client.der },
    logger: createLogger({
      name: "x",
      env: { TF_LOG: "warn" },
      write: (line) => log.push(line),
    }),
    onShutdown: () => undefined,
  });
  const close = (): Promise<void> => {
    server.close();
    return Promise.resolve();
  };
  return { address: server.address.address, own: own.pem, client, log: () => log, close };
}

let fixture: Fixture | undefined;

/** A process of its own. The harness stays connected, so that it does not end. */
async function serveCompiled(): Promise<Served> {
  fixture ??= await buildFixture("compiled");
  const provider = await spawnProvider(fixture.command, { ...fixture.env, TF_LOG: "warn" });
  const own = toPem("CERTIFICATE", provider.handshake.serverCertificate ?? Buffer.alloc(0));
  return {
    address: provider.handshake.address,
    own,
    client: provider.clientCertificate,
    log: () => provider.stderr().trim().split("\n"),
    close: provider.close,
  };
}

afterAll(() => {
  fixture?.remove();
});

describe.each([
  ["with Node.js", serveHere],
  ["that is compiled", serveCompiled],
])("a server %s", (_, serve) => {
  let served: Served;

  beforeEach(async () => {
    served = await serve();
  });
  afterEach(() => served.close());

  function open(certificate?: Certificate, options: ConnectionOptions = {}): Socket {
    return connectTls({
      path: served.address,
      servername: "localhost",
      ca: [served.own],
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
      expect(await isServed(open(served.client, options))).toBe(true);
    },
  );

  test.each(["TLSv1.2", "TLSv1.3"] as const)(
    "never responds over %s to a client without a certificate or with another one",
    async (version) => {
      const options = { minVersion: version, maxVersion: version };
      expect(await isServed(open(undefined, options))).toBe(false);
      expect(await isServed(open(createCertificate(), options))).toBe(false);
      await until(() => served.log().length === 2);
      expect(served.log()[0]).toContain("the client presented no certificate");
      expect(served.log()[1]).toContain("certificate differs from the one in PLUGIN_CLIENT_CERT");
      expect(await isServed(open(served.client, options))).toBe(true);
    },
  );

  test("never responds to a client that has the right certificate without its key", async () => {
    const thief = { ...createCertificate(), pem: served.client.pem };
    let isAnswered = true;
    try {
      isAnswered = await isServed(open(thief));
    } catch {
      isAnswered = false;
    }
    expect(isAnswered).toBe(false);
  });

  test("refuses a client with TLS 1.1 and one without HTTP/2", async () => {
    expect(
      await isServed(open(served.client, { minVersion: "TLSv1.1", maxVersion: "TLSv1.1" })),
    ).toBe(false);
    const socket = open(served.client, { ALPNProtocols: [] });
    await closed(socket);
    await until(() => served.log().at(-1)?.includes("does not support HTTP/2") === true);
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
    const socket = connect({ path: served.address });
    socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    await closed(socket);
    await until(() => served.log().at(-1)?.includes("the TLS handshake failed") === true);
    expect(await isServed(open(served.client))).toBe(true);
  });
});
