import * as http2 from "node:http2";
import type { Duplex } from "node:stream";
import { FrameReader, encodeFrame } from "./grpc-frame";
import {
  decodeStatusMessage,
  type GrpcError,
  grpcError,
  isGrpcError,
  statusName,
} from "./grpc-headers";

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The deadline that is sent to the server, in milliseconds from now. @default no deadline */
  readonly timeoutMs?: number | undefined;
  /** Headers of the call, such as `workload.spiffe.io`. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The largest response message that is accepted, in bytes. @default 256 MiB */
  readonly maxMessageBytes?: number | undefined;
}

/** A small gRPC client: calls with one request message, over one connection. */
export interface GrpcClient {
  /**
   * Sends one message and waits for the response message.
   *
   * @throws GrpcError with the status of the call; UNAVAILABLE when the connection is lost
   */
  unary(path: string, request: Uint8Array, options?: CallOptions): Promise<Uint8Array>;
  /**
   * Sends one message and receives any number of messages. Ending the iteration cancels the call.
   *
   * @throws GrpcError with the status of the call; UNAVAILABLE when the connection is lost
   */
  serverStream(path: string, request: Uint8Array, options?: CallOptions): AsyncIterable<Uint8Array>;
  /** Resolves when the connection is closed, for any reason. */
  readonly closed: Promise<void>;
  close(): void;
}

const windowBytes = 64 * 1024 * 1024;

/** Creates a gRPC client on a connected socket. For TLS, pass the TLS socket. */
export function createGrpcClient(socket: Duplex): GrpcClient {
  return new SocketClient(socket);
}

class SocketClient implements GrpcClient {
  readonly closed: Promise<void>;
  readonly #session: http2.ClientHttp2Session;
  #broken: Error | undefined;

  constructor(socket: Duplex) {
    const session = http2.connect("http://localhost", {
      createConnection: () => socket,
      settings: { initialWindowSize: windowBytes, enablePush: false },
      maxSessionMemory: 4096,
    });
    session.once("connect", () => session.setLocalWindowSize(windowBytes));
    session.on("error", (error: Error) => {
      this.#broken = error;
    });
    this.closed = new Promise((resolve) => {
      session.once("close", resolve);
    });
    this.#session = session;
  }

  async unary(path: string, request: Uint8Array, options?: CallOptions): Promise<Uint8Array> {
    const messages: Uint8Array[] = [];
    for await (const message of this.serverStream(path, request, options)) {
      messages.push(message);
      if (messages.length > 1) {
        throw grpcError("INTERNAL", "The response contains more than one message.");
      }
    }
    const [message] = messages;
    if (message === undefined) throw grpcError("INTERNAL", "The response contains no message.");
    return message;
  }

  async *serverStream(
    path: string,
    request: Uint8Array,
    { signal, timeoutMs, headers, maxMessageBytes }: CallOptions = {},
  ): AsyncGenerator<Uint8Array, void, void> {
    if (this.#session.closed || this.#session.destroyed) throw unavailable(this.#broken);
    const stream = this.#session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
      ...headers,
      ...(timeoutMs !== undefined && { "grpc-timeout": `${timeoutMs}m` }),
    });
    const status = statusOf(stream);
    const cancel = (): void => {
      stream.close(http2.constants.NGHTTP2_CANCEL);
    };
    signal?.addEventListener("abort", cancel);
    if (signal?.aborted === true) cancel();
    try {
      stream.end(encodeFrame(request));
      const frames = new FrameReader(maxMessageBytes);
      for await (const piece of stream as AsyncIterable<Buffer>) yield* frames.push(piece);
      const ended = await status;
      if (ended["grpc-status"] !== "0") throw failure(ended);
    } catch (error) {
      cancel();
      // The server may reset a stream after it has sent the status.
      const ended = await status;
      if ((ended["grpc-status"] ?? "0") !== "0") throw failure(ended);
      if (signal?.aborted === true) throw grpcError("CANCELLED", "The caller cancelled.");
      throw isGrpcError(error) ? error : unavailable(error);
    } finally {
      cancel();
      signal?.removeEventListener("abort", cancel);
    }
  }

  close(): void {
    this.#session.destroy();
  }
}

/** Returns the headers and trailers of a call, when it has ended. */
function statusOf(stream: http2.ClientHttp2Stream): Promise<http2.IncomingHttpHeaders> {
  return new Promise((resolve) => {
    let status: http2.IncomingHttpHeaders = {};
    const keep = (headers: http2.IncomingHttpHeaders): void => {
      status = { ...status, ...headers };
    };
    stream.on("response", keep);
    stream.on("trailers", keep);
    stream.on("close", () => {
      resolve(status);
    });
  });
}

/** The failure of a call that has not ended with the status OK. */
function failure(status: http2.IncomingHttpHeaders): GrpcError {
  const code = status["grpc-status"];
  if (code !== undefined) {
    const message = status["grpc-message"]?.toString() ?? "";
    return grpcError(statusName(code), decodeStatusMessage(message));
  }
  const httpStatus = status[":status"];
  return grpcError(
    "UNAVAILABLE",
    httpStatus === undefined
      ? "The call ended without a response."
      : `HTTP status ${httpStatus.toString()}.`,
  );
}

function unavailable(cause: unknown): GrpcError {
  const reason = cause instanceof Error ? `: ${cause.message}` : "";
  return grpcError("UNAVAILABLE", `The connection is closed${reason}.`, { cause });
}
