import { createServer } from "node:net";
import { createGrpcServer } from "../../src/provider-kit/wire/grpc/grpc-server";

/** Serves a path whose response is the request, on a socket that only this user can access. */
export function serve(socket: string, path: string): Promise<void> {
  const grpc = createGrpcServer({
    routes: new Map([[path, { kind: "unary", handle: (request) => request }]]),
  });
  const server = createServer((connection) => {
    grpc.accept(connection);
  });
  return new Promise((resolve) => {
    server.listen(socket, resolve);
  });
}
