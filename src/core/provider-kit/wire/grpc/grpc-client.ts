import * as http2 from "node:http2";
import type { Duplex } from "node:stream";
import {
  decodeStatusMessage,
  statusName,
  grpcError,
  isGrpcError,
  type GrpcError,
} from "./grpc-headers";
import { FrameReader, encodeFrame } from "./grpc-frame";

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
  /** Opens a call as a raw stream, to which the caller writes frames. */
  open(path: string, headers?: http2.OutgoingHttpHeaders): http2.ClientHttp2Stream;
  /** Resolves when the connection is closed, for any reason. */
  readonly closed: Promise<void>;
  close(): void;
}

const windowBytes = 64 * 1024 * 1024;

/** Creates a gRPC client on a connected socket. For TLS, pass the TLS socket. */
export function createGrpcClient(socket: Duplex): GrpcClient {
  const session = http2.connect("http://localhost", {
    createConnection: () => socket,
    settings: { initialWindowSize: windowBytes, enablePush: false },
    maxSessionMemory: 4096,
  });
  session.once("connect", () => session.setLocalWindowSize(windowBytes));
  let broken: Error | undefined;
  session.on("error", (error: Error) => {
    broken = error;
  });
  const closed = new Promise<void>((resolve) => {
    session.once("close", resolve);
  });

  const open: GrpcClient["open"] = (path, headers) =>
    session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
      ...headers,
    });

  /** Opens a call with its deadline, which the caller's signal cancels. */
  const start = (path: string, { signal, timeoutMs, headers }: CallOptions) => {
    if (session.closed || session.destroyed) throw unavailable(broken);
    const deadline = timeoutMs === undefined ? {} : { "grpc-timeout": `${timeoutMs}m` };
    const stream = open(path, { ...headers, ...deadline });
    const cancel = (): void => {
      stream.close(http2.constants.NGHTTP2_CANCEL);
    };
    signal?.addEventListener("abort", cancel);
    if (signal?.aborted === true) cancel();
    const finish = (): void => {
      signal?.removeEventListener("abort", cancel);
    };
    const explained = (error: unknown): GrpcError => {
      if (signal?.aborted === true) return grpcError("CANCELLED", "The caller cancelled.");
      return isGrpcError(error) ? error : unavailable(error);
    };
    return { stream, cancel, finish, explained };
  };

  const unary: GrpcClient["unary"] = async (path, request, options = {}) => {
    const { stream, finish, explained } = start(path, options);
    try {
      stream.end(encodeFrame(request));
      return await readResponse(stream, new FrameReader(options.maxMessageBytes));
    } catch (error) {
      throw explained(error);
    } finally {
      finish();
    }
  };

  async function* serverStream(
    path: string,
    request: Uint8Array,
    options: CallOptions = {},
  ): AsyncGenerator<Uint8Array, void, void> {
    const { stream, cancel, finish, explained } = start(path, options);
    const frames = new FrameReader(options.maxMessageBytes);
    const status = statusOf(stream);
    try {
      stream.end(encodeFrame(request));
      for await (const piece of stream as AsyncIterable<Buffer>) yield* frames.push(piece);
      const headers = await status;
      if (headers["grpc-status"] !== "0") throw failure(headers);
    } catch (error) {
      cancel();
      // The server may reset a stream after it has sent the status.
      const headers = await status;
      throw (headers["grpc-status"] ?? "0") === "0" ? explained(error) : failure(headers);
    } finally {
      cancel();
      finish();
    }
  }

  return { unary, serverStream, open, closed, close: () => session.destroy() };
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

function readResponse(stream: http2.ClientHttp2Stream, frames: FrameReader): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const messages: Uint8Array[] = [];
    let status: http2.IncomingHttpHeaders = {};
    const keep = (headers: http2.IncomingHttpHeaders): void => {
      status = { ...status, ...headers };
    };
    stream.on("response", keep);
    stream.on("trailers", keep);
    stream.on("data", (piece: Buffer) => {
      try {
        messages.push(...frames.push(piece));
        if (messages.length > 1) {
          throw grpcError("INTERNAL", "The response contains more than one message.");
        }
      } catch (error) {
        reject(error instanceof Error ? error : new Error("unreadable response"));
        stream.close(http2.constants.NGHTTP2_CANCEL);
      }
    });
    stream.on("error", reject);
    stream.on("close", () => {
      const [message] = messages;
      if (status["grpc-status"] === "0" && message !== undefined) resolve(message);
      else reject(failure(status));
    });
  });
}

function failure(status: http2.IncomingHttpHeaders): GrpcError {
  const code = status["grpc-status"];
  if (code === undefined) {
    const httpStatus = status[":status"];
    return grpcError(
      "UNAVAILABLE",
      httpStatus === undefined
        ? "The call ended without a response."
        : `HTTP status ${httpStatus.toString()}.`,
    );
  }
  if (code === "0") return grpcError("INTERNAL", "The response contains no message.");
  return grpcError(statusName(code), decodeStatusMessage(status["grpc-message"]?.toString() ?? ""));
}

function unavailable(cause: unknown): GrpcError {
  const reason = cause instanceof Error ? `: ${cause.message}` : "";
  return grpcError("UNAVAILABLE", `The connection is closed${reason}.`, { cause });
}
