import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import { GrpcError } from "./grpc-error";
import { FrameReader, encodeFrame } from "./grpc-frame";
import { MessageQueue } from "./grpc-message-queue";
import type { CallContext, Route } from "./grpc-route";
import { GrpcStatus, type GrpcStatusName, encodeStatusMessage } from "./grpc-status";
import { parseTimeout } from "./grpc-timeout";

const contentType = "application/grpc";
const http2NoError = 0;

/** Finds the handler of a path. */
export type RouteLookup = (path: string) => Route | undefined | Promise<Route | undefined>;

/**
 * One call on the server side, from its headers to its trailers.
 *
 * @see {@link https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md}
 */
export class GrpcServerCall {
  readonly #path: string;
  #aborter: AbortController | undefined;
  #abortReason: GrpcError | undefined;
  readonly #incoming = new MessageQueue();
  readonly #frames = new FrameReader();
  #deadline: NodeJS.Timeout | undefined;
  #trailers: Record<string, string> | undefined;

  readonly #stream: ServerHttp2Stream;
  readonly #headers: IncomingHttpHeaders;
  readonly #onHandlerError: ((path: string, error: unknown) => void) | undefined;

  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    onHandlerError: ((path: string, error: unknown) => void) | undefined,
  ) {
    this.#stream = stream;
    this.#headers = headers;
    this.#onHandlerError = onHandlerError;

    this.#path = headers[":path"] ?? "";
  }

  /** Serves the call. Any failure is reported in its status. */
  run(findRoute: RouteLookup): void {
    this.#stream.on("error", () => undefined);
    this.#stream.on("close", () => {
      clearTimeout(this.#deadline);
      if (this.#trailers === undefined) {
        this.#abort(new GrpcError("CANCELLED", "The caller cancelled the call or disconnected."));
      }
      this.#incoming.end();
    });
    if (!this.#acceptHeaders()) return;
    this.#stream.on("data", (piece: Buffer) => {
      this.#receive(piece);
    });
    this.#stream.on("end", () => {
      if (this.#frames.isPartial) {
        this.#fail(new GrpcError("INTERNAL", "The request ends in the middle of a message."));
      }
      this.#incoming.end();
    });
    this.#serve(findRoute).catch((error: unknown) => {
      this.#fail(error);
    });
  }

  #acceptHeaders(): boolean {
    if (this.#headers[":method"] !== "POST") return this.#refuse(405);
    if (this.#headers["content-type"]?.startsWith(contentType) !== true) return this.#refuse(415);
    const timeout = parseTimeout(this.#headers["grpc-timeout"]?.toString());
    if (timeout === "malformed") {
      this.#finish("INTERNAL", "The header grpc-timeout is malformed.");
      return false;
    }
    if (timeout !== undefined) this.#setDeadline(timeout);
    return true;
  }

  #setDeadline(timeoutMs: number): void {
    this.#deadline = setTimeout(() => {
      const error = new GrpcError("DEADLINE_EXCEEDED", "The caller's deadline has passed.");
      this.#abort(error);
      this.#fail(error);
    }, timeoutMs);
    this.#deadline.unref();
  }

  #receive(piece: Buffer): void {
    try {
      for (const message of this.#frames.push(piece)) this.#incoming.push(message);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #serve(findRoute: RouteLookup): Promise<void> {
    const found = findRoute(this.#path);
    const route = found instanceof Promise ? await found : found;
    if (route === undefined) {
      throw new GrpcError("UNIMPLEMENTED", `The method ${this.#path} does not exist.`);
    }
    if (route.kind === "unary") await this.#serveUnary(route);
    else await this.#serveStream(route);
  }

  async #serveUnary(route: Route & { kind: "unary" }): Promise<void> {
    const request = await this.#incoming.only();
    if (this.#isOver()) return;
    const handled = route.handle(request, this.#context());
    const response = handled instanceof Promise ? await handled : handled;
    if (this.#isOver()) return;
    this.#respond();
    this.#end("OK", encodeFrame(response));
  }

  async #serveStream(route: Route & { kind: "stream" }): Promise<void> {
    this.#respond();
    await route.handle(
      Object.assign(this.#context(), {
        messages: this.#incoming,
        send: (message: Uint8Array) => this.#send(message),
      }),
    );
    if (!this.#isOver()) this.#end("OK");
  }

  #context(): CallContext {
    const signal = (): AbortSignal => this.#signal();
    return {
      get signal() {
        return signal();
      },
      onClosed: (listener) => this.#stream.once("close", listener),
    };
  }

  /** Created when a handler uses it: most calls end before they could be cancelled. */
  #signal(): AbortSignal {
    if (this.#aborter === undefined) {
      this.#aborter = new AbortController();
      if (this.#abortReason !== undefined) this.#aborter.abort(this.#abortReason);
    }
    return this.#aborter.signal;
  }

  #abort(reason: GrpcError): void {
    this.#abortReason ??= reason;
    this.#aborter?.abort(reason);
  }

  #send(message: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stream.write(encodeFrame(message), (error) => {
        if (error == null) resolve();
        else reject(error);
      });
    });
  }

  /** Whether the stream is closed or its status has been determined. */
  #isOver(): boolean {
    return this.#trailers !== undefined || this.#stream.destroyed || this.#stream.closed;
  }

  #fail(error: unknown): void {
    if (this.#isOver()) return;
    if (error instanceof GrpcError) {
      this.#finish(error.code, error.message);
      return;
    }
    this.#onHandlerError?.(this.#path, error);
    this.#finish(
      "INTERNAL",
      `${this.#path} failed unexpectedly. This is a bug in the provider. Its log (TF_LOG=ERROR) has the details.`,
    );
  }

  #finish(code: GrpcStatusName, message: string): void {
    this.#incoming.end();
    if (this.#stream.headersSent) {
      this.#end(code, undefined, message);
      return;
    }
    this.#trailers = statusFields(code, message);
    const headers = { ":status": 200, "content-type": contentType, ...this.#trailers };
    this.#stream.respond(headers, { endStream: true });
    this.#stopReading();
  }

  #respond(): void {
    this.#stream.respond(
      { ":status": 200, "content-type": contentType },
      { waitForTrailers: true },
    );
    this.#stream.on("wantTrailers", () => {
      this.#stream.sendTrailers(this.#trailers ?? statusFields("OK"));
    });
  }

  #end(code: GrpcStatusName, lastFrame?: Buffer, message?: string): void {
    this.#trailers = statusFields(code, message);
    if (lastFrame === undefined) this.#stream.end();
    else this.#stream.end(lastFrame);
    if (code !== "OK") this.#stopReading();
  }

  /** Tells a caller that is still sending a refused message to stop. */
  #stopReading(): void {
    if (!this.#stream.readableEnded) this.#stream.resume();
    this.#stream.once("finish", () => {
      if (!this.#stream.readableEnded) this.#stream.close(http2NoError);
    });
  }

  #refuse(status: number): false {
    this.#stream.respond({ ":status": status }, { endStream: true });
    this.#stopReading();
    return false;
  }
}

function statusFields(code: GrpcStatusName, message?: string): Record<string, string> {
  const status = String(GrpcStatus[code]);
  if (message === undefined) return { "grpc-status": status };
  return { "grpc-status": status, "grpc-message": encodeStatusMessage(message) };
}
