import { createServer } from "node:http2";
import { connect, type AddressInfo } from "node:net";
import { createProviderClient } from "../../../../src/core/provider-kit/testing/provider-client";
import { createGrpcClient } from "../../../../src/core/provider-kit/wire/grpc/grpc-client";

/** A server that exits in the middle of every response: after the headers, before the trailers. */
async function startExitingServer() {
  const server = createServer();
  server.on("stream", (stream) => {
    stream.respond({ ":status": 200, "content-type": "application/grpc" });
    stream.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const grpc = createGrpcClient(connect({ host: "127.0.0.1", port }));
  const close = () => {
    grpc.close();
    server.close();
  };
  return { client: createProviderClient(grpc), close };
}

test("takes a process that exits before its response is complete as shut down", async () => {
  const { client, close } = await startExitingServer();
  await expect(client.shutdown()).resolves.toBeUndefined();
  await expect(client.stopProvider({})).rejects.toMatchObject({ code: "UNAVAILABLE" });
  close();
});
