import type { Duplex } from "node:stream";

import { Http2Connection } from "../http2/http2-connection";
import { GrpcServerCall, type GrpcServerContext } from "./grpc-server-call";
import type { Routes } from "./grpc-route";

interface GrpcServerOptions {
  /** The handlers that are available immediately. */
  readonly routes: Routes;
  /**
   * Creates the handlers of paths that are not in `routes`. Called by the first such call or by
   * `prepare`.
   */
  readonly lateRoutes?: (() => Routes | Promise<Routes>) | undefined;
  /**
   * Creates separate late routes for each connection, because clients must not share their state. @default
   * false
   */
  readonly isolated?: boolean | undefined;
  /** Receives unexpected errors of handlers: everything but a GrpcError. */
  readonly onHandlerError?: ((path: string, error: unknown) => void) | undefined;
  /** Called when the number of open connections changes. */
  readonly onConnections?: ((open: number) => void) | undefined;
}

/** A gRPC server on sockets that the caller has accepted and authenticated. */
export interface GrpcServer {
  accept(socket: Duplex): void;
  /** Creates the late routes now instead of with the first call. */
  prepare(): void;
  /** Closes every connection immediately and aborts the signals of running handlers. */
  close(): void;
}

/** Creates a gRPC server. It does not listen itself; pass it sockets with `accept`. */
export function createGrpcServer(options: GrpcServerOptions): GrpcServer {
  const connections = new Set<Http2Connection>();
  let prepared: Promise<Routes> | undefined;

  const prepare = (): Promise<Routes> => (prepared ??= makeRoutes(options.lateRoutes));
  const takeRoutes = (): Promise<Routes> => {
    const routes = prepare();
    if (options.isolated === true) prepared = undefined;
    return routes;
  };

  /** Creates the context that the calls of one connection share. */
  const contextOf = (): GrpcServerContext => {
    let late: Promise<Routes> | undefined;
    let ready: Routes | undefined;
    return {
      findRoute: (path) => {
        const route = options.routes.get(path);
        if (route !== undefined) return route;
        if (ready !== undefined) return ready.get(path);
        late ??= takeRoutes().then((routes) => (ready = routes));
        return late.then((routes) => routes.get(path));
      },
      onHandlerError: options.onHandlerError,
    };
  };

  return {
    accept: (socket) => {
      const context = contextOf();
      const connection = new Http2Connection(
        socket,
        (own, id, headers) => new GrpcServerCall(own, id, headers, context),
        () => {
          connections.delete(connection);
          options.onConnections?.(connections.size);
        },
      );
      connections.add(connection);
      options.onConnections?.(connections.size);
    },
    prepare: () => void prepare(),
    close: () => {
      for (const connection of connections) connection.close();
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
