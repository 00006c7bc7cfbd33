import type { ServerHttp2Session, ServerOptions } from "node:http2";
import type { Duplex } from "node:stream";

import { GrpcServerCall, type RouteLookup } from "./grpc-server-call";
import type { Routes } from "./grpc-route";

/** The settings of a gRPC server. */
export interface GrpcServerOptions {
  /** The handlers that are available immediately. */
  readonly routes: Routes;
  /**
   * Creates the handlers of paths that are not in `routes`. Called by the first such call or by
   * `prepare`.
   */
  readonly lateRoutes?: (() => Routes | Promise<Routes>) | undefined;
  /**
   * Whether each connection has late routes of its own, because its client must not share their
   * state with others. @default false
   */
  readonly isolated?: boolean | undefined;
  /** Receives unexpected errors of handlers: everything but a GrpcError. */
  readonly onHandlerError?: ((path: string, error: unknown) => void) | undefined;
  /** Called when the number of open connections changes. */
  readonly onConnections?: ((open: number) => void) | undefined;
}

/** A gRPC server on sockets that the caller has accepted and authenticated. */
export interface GrpcServer {
  /** Serves one connection. */
  accept(socket: Duplex): void;
  /** Creates the late routes now instead of with the first call. */
  prepare(): void;
  /** Closes every connection immediately and aborts the signals of running handlers. */
  close(): void;
}

const megabyte = 1024 * 1024;

/** With the default HTTP/2 limits, messages of many megabytes would be slow or refused. */
const settings: ServerOptions = {
  settings: { initialWindowSize: 16 * megabyte, maxFrameSize: megabyte, enablePush: false },
  // In megabytes. The default of 10 refuses streams while a few large messages are being read.
  maxSessionMemory: 4096,
};
const connectionWindow = 64 * megabyte;

/** Creates a gRPC server. It does not listen itself; pass it sockets with `accept`. */
export function createGrpcServer(options: GrpcServerOptions): GrpcServer {
  const sessions = new Set<ServerHttp2Session>();
  // Loaded here because it takes a third of the start-up time, and the handshake does not need it.
  const server = process.getBuiltinModule("node:http2").createServer(settings);
  let prepared: Promise<Routes> | undefined;
  const own = new WeakMap<object, Promise<Routes>>();

  const prepare = (): Promise<Routes> => (prepared ??= makeRoutes(options.lateRoutes));
  const lateRoutesOf = (session: object | undefined): Promise<Routes> => {
    if (options.isolated !== true || session === undefined) return prepare();
    let routes = own.get(session);
    if (routes === undefined) {
      routes = prepare();
      own.set(session, routes);
      prepared = undefined;
    }
    return routes;
  };

  server.on("session", (session) => {
    sessions.add(session);
    session.setLocalWindowSize(connectionWindow);
    // The streams of a broken connection report the failure to their handlers.
    session.on("error", () => session.destroy());
    session.on("close", () => {
      sessions.delete(session);
      options.onConnections?.(sessions.size);
    });
    options.onConnections?.(sessions.size);
  });
  server.on("stream", (stream, headers) => {
    const { session } = stream;
    const findRoute: RouteLookup = (path) =>
      options.routes.get(path) ?? lateRoutesOf(session).then((routes) => routes.get(path));
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
  // The calls report a failure. As an unhandled rejection it would end the process first.
  routes.catch(() => undefined);
  return routes;
}
