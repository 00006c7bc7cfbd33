import type { ServerHttp2Session, ServerOptions } from "node:http2";
import type { Duplex } from "node:stream";

import { GrpcServerCall, type RouteLookup } from "./grpc-server-call";
import type { Routes } from "./grpc-route";

export interface GrpcServerOptions {
  readonly routes: Routes;
  /** Makes the routes for paths that `routes` lacks; called once, at the first such call or by `prepare`. */
  readonly lateRoutes?: (() => Routes | Promise<Routes>) | undefined;
  /** Told of errors that handlers throw without meaning to: everything but a GrpcError. */
  readonly onHandlerError?: ((path: string, error: unknown) => void) | undefined;
  /** Told whenever the number of open connections changes. */
  readonly onConnections?: ((open: number) => void) | undefined;
}

/** Speaks gRPC on sockets that somebody else accepts, after somebody else checked who is there. */
export interface GrpcServer {
  /** Serves one connection. */
  accept(socket: Duplex): void;
  /** Makes the late routes now instead of at the first call. */
  prepare(): void;
  /** Ends every connection at once; handlers see their signal abort. */
  close(): void;
}

const megabyte = 1024 * 1024;

/** HTTP/2 limits under which messages of many megabytes do not crawl or get refused. */
const settings: ServerOptions = {
  settings: { initialWindowSize: 16 * megabyte, maxFrameSize: megabyte, enablePush: false },
  // Counted in megabytes; the default of 10 refuses streams while a few large messages are read.
  maxSessionMemory: 4096,
};
const connectionWindow = 64 * megabyte;

/** Makes a gRPC server; it listens nowhere, see `accept`. */
export function createGrpcServer(options: GrpcServerOptions): GrpcServer {
  const sessions = new Set<ServerHttp2Session>();
  // Loaded here, because it is a third of the start-up time and the handshake does without it.
  const server = process.getBuiltinModule("node:http2").createServer(settings);
  let late: Promise<Routes> | undefined;

  const prepare = (): Promise<Routes> => (late ??= makeRoutes(options.lateRoutes));
  const findRoute: RouteLookup = (path) =>
    options.routes.get(path) ?? prepare().then((routes) => routes.get(path));

  server.on("session", (session) => {
    sessions.add(session);
    session.setLocalWindowSize(connectionWindow);
    // A broken connection is the peer's affair; its streams report it to their handlers.
    session.on("error", () => session.destroy());
    session.on("close", () => {
      sessions.delete(session);
      options.onConnections?.(sessions.size);
    });
    options.onConnections?.(sessions.size);
  });
  server.on("stream", (stream, headers) => {
    new GrpcServerCall(stream, headers, options.onHandlerError).run(findRoute);
  });

  return {
    accept: (socket) => void server.emit("connection", socket),
    prepare: () => void prepare(),
    close: () => {
      for (const session of sessions) session.destroy();
    },
  };
}

function makeRoutes(make: GrpcServerOptions["lateRoutes"]): Promise<Routes> {
  const routes = new Promise<Routes>((resolve) => {
    resolve(make?.() ?? new Map());
  });
  // A failure is reported by the calls; unhandled, it would end the process before.
  routes.catch(() => undefined);
  return routes;
}
