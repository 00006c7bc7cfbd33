import { unary } from "../../../../src/core/provider-kit/wire/grpc/grpc-route";
import { providerMethods } from "../../../../src/core/provider-kit/wire/tfplugin6/tfplugin6";
import {
  type StartedProvider,
  parseHandshake,
  spawnProvider,
  startProvider,
} from "../../../../src/core/provider-kit/testing";

let provider: StartedProvider | undefined;

afterEach(() => {
  provider?.close();
});

const readResource = unary(providerMethods.readResource, (request) => ({
  newState: request.currentState,
  private: Buffer.from(request.typeName),
}));

test.each([false, true])("calls a provider in this process (mutual TLS: %p)", async (tls) => {
  provider = await startProvider(new Map([readResource]), { tls });
  const msgpack = Buffer.from([0x81, 0xa1, 0x61, 0xc0]);
  const answer = await provider.readResource({ typeName: "t_x", currentState: { msgpack } });
  expect(Buffer.from(answer.private).toString()).toBe("t_x");
  expect(answer.newState?.msgpack).toEqual(msgpack);
});

test("has a method for every procedure of the protocol, and reports which are not served", async () => {
  provider = await startProvider(new Map());
  for (const [name, method] of Object.entries(providerMethods)) {
    const call = provider[name as keyof typeof providerMethods];
    const response = call({});
    const first = response instanceof Promise ? response : firstOf(response);
    await expect(first).rejects.toMatchObject({
      code: "UNIMPLEMENTED",
      message: `The method ${method.path} does not exist.`,
    });
  }
});

test("passes a logger to the provider and receives its log", async () => {
  const lines: string[] = [];
  provider = await startProvider(
    ({ logger }) =>
      new Map([
        unary(providerMethods.stopProvider, () => {
          logger.info("stopping");
          return { error: "" };
        }),
      ]),
    { env: { TF_LOG: "info" }, onLog: (line) => lines.push(line) },
  );
  await provider.stopProvider({});
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('"@message":"stopping"');
});

test("continues after a shutdown, which is for processes", async () => {
  provider = await startProvider(new Map([readResource]));
  await provider.shutdown();
  await expect(provider.readResource({})).resolves.toBeDefined();
});

test("fails with the output of a process that ends without a handshake", async () => {
  const script = "process.stderr.write('no such thing'); process.exit(3)";
  await expect(spawnProvider([process.execPath, "-e", script])).rejects.toThrow(
    "The provider exited with code 3: no such thing",
  );
});

test("fails when the executable does not exist", async () => {
  await expect(spawnProvider(["/does/not/exist"])).rejects.toThrow("ENOENT");
});

test("reads handshakes of protocol 6 only", () => {
  expect(parseHandshake("1|6|tcp|127.0.0.1:10000|grpc|")).toEqual({
    network: "tcp",
    address: "127.0.0.1:10000",
    serverCertificate: undefined,
  });
  expect(() => parseHandshake("1|5|unix|/x|grpc|")).toThrow(
    'not a handshake line: "1|5|unix|/x|grpc|"',
  );
  expect(() => parseHandshake("hello")).toThrow("not a handshake line");
});

async function firstOf(values: AsyncIterable<unknown>): Promise<unknown> {
  for await (const value of values) return value;
  return undefined;
}
