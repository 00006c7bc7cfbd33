import { headerBlock } from "../http2/hpack";
import type { Http2Connection } from "../http2/http2-connection";
import { Http2Stream } from "../http2/http2-streams";
import type { RequestHeaders } from "../http2/request-headers";
import { CallMessages } from "./call-messages";
import { encodeFrame } from "./grpc-frame";
import {
  type GrpcError,
  grpcError,
  type GrpcStatusName,
  isGrpcError,
  parseTimeout,
  statusTrailers,
} from "./grpc-headers";
import type { Route, StreamCall } from "./grpc-route";

const contentType = "application/grpc";

/** The context that the calls of a server share. */
export interface GrpcServerContext {
  readonly findRoute: (path: string) => Route | undefined | Promise<Route | undefined>;
  readonly onHandlerError: ((path: string, error: unknown) => void) | undefined;
}

/** The body of a response to a request of another protocol. */
const notGrpc = Buffer.from("This server accepts only gRPC calls.\n");

let blocks: { readonly head: Buffer; readonly ok: Buffer } | undefined;

/** Returns the headers and the trailers of a successful call. */
function okBlocks(): { readonly head: Buffer; readonly ok: Buffer } {
  return (blocks ??= {
    head: headerBlock({ ":status": "200", "content-type": contentType }),
    ok: headerBlock({ "grpc-status": "0" }),
  });
}

/**
 * One call on the server side, from its headers to its trailers.
 *
 * @see {@link https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md}
 */
export class GrpcServerCall extends Http2Stream implements StreamCall {
  readonly #connection: Http2Connection;
  readonly #server: GrpcServerContext;
  readonly #headers: RequestHeaders;
  readonly #messages: CallMessages;
  #route: Route | undefined;
  #hasHead = false;
  #isOver = false;
  #aborter: AbortController | undefined;
  #abortReason: GrpcError | undefined;
  #deadline: NodeJS.Timeout | undefined;
  #closedListeners: (() => void)[] | undefined;
  /** True while a handler is running, which can use the messages even after the end of the call. */
  #isHandled = false;

  constructor(
    connection: Http2Connection,
    id: number,
    headers: RequestHeaders,
    server: GrpcServerContext,
  ) {
    super(id);
    this.#connection = connection;
    this.#server = server;
    this.#headers = headers;
    this.#messages = new CallMessages(connection, this);
  }

  get #path(): string {
    return this.#headers.path ?? "";
  }

  begin(): void {
    const { timeout } = this.#headers;
    if (refusalOf(this.#headers) !== 0) {
      this.#isOver = true;
      return;
    }
    if (timeout !== undefined && !this.#setDeadline(timeout)) return;
    try {
      const found = this.#server.findRoute(this.#path);
      if (found instanceof Promise) {
        found.then((route) => this.#use(route)).catch((error: unknown) => this.#fail(error));
      } else this.#use(found);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Answers a request that is not a gRPC request, after its end. */
  #answerOther(): void {
    const status = refusalOf(this.#headers);
    if (status === 0) return;
    const block = headerBlock({ ":status": String(status), "content-type": "text/plain" });
    this.#connection.sender.sendHeaders(this, block, false);
    this.#connection.sender.sendData(this, notGrpc, true, undefined);
  }

  #setDeadline(header: string): boolean {
    const timeout = parseTimeout(header);
    if (timeout === undefined) {
      this.#finish("INTERNAL", "The header grpc-timeout is malformed.");
      return false;
    }
    this.#deadline = setTimeout(() => {
      const error = grpcError("DEADLINE_EXCEEDED", "The caller's deadline has passed.");
      this.#abort(error);
      this.#fail(error);
    }, timeout);
    this.#deadline.unref();
    return true;
  }

  #use(route: Route | undefined): void {
    if (this.#isOver) return;
    if (route === undefined) {
      this.#fail(grpcError("UNIMPLEMENTED", `${quotable(this.#path)} does not exist.`));
      return;
    }
    this.#route = route;
    if (route.kind === "stream") this.#serveStream(route);
    else if (this.isReceived || this.#messages.areQueued) this.#serveUnary(route);
  }

  receive(bytes: Buffer, start: number, end: number): void {
    if (this.#isOver) return;
    try {
      this.#messages.receive(bytes, start, end, this.#route?.kind === "unary");
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** Ends a call with a malformed request. The handler of a stream may already be reading it. */
  #refuse(error: unknown): void {
    if (isGrpcError(error)) this.#abort(error);
    this.#fail(error);
  }

  receiveEnd(): void {
    if (this.#isOver) {
      this.#answerOther();
      return;
    }
    if (this.#messages.isPartial) {
      this.#refuse(grpcError("INTERNAL", "The request ends in the middle of a message."));
      return;
    }
    const route = this.#route;
    this.#messages.end();
    if (route?.kind === "unary") this.#serveUnary(route);
  }

  #serveUnary(route: Route & { kind: "unary" }): void {
    try {
      const handled = route.handle(this.#messages.only, this);
      if (handled instanceof Promise) {
        this.#isHandled = true;
        handled.then(
          (response) => this.#respond(response),
          (error: unknown) => this.#failHandler(error),
        );
      } else this.#respond(handled);
    } catch (error) {
      this.#fail(error);
    }
  }

  #respond(response: Uint8Array): void {
    this.#settle();
    if (this.#isOver) return;
    this.#isOver = true;
    const { head, ok } = okBlocks();
    this.#connection.sender.answer(this, head, response, ok);
  }

  #serveStream(route: Route & { kind: "stream" }): void {
    const messages = this.#messages.queue();
    if (this.isReceived) messages.end();
    this.#hasHead = true;
    this.#connection.sender.sendHeaders(this, okBlocks().head, false);
    const handled = route.handle(this);
    this.#isHandled = true;
    handled.then(
      () => {
        this.#settle();
        if (this.#isOver) return;
        this.#isOver = true;
        this.#connection.sender.sendHeaders(this, okBlocks().ok, true);
      },
      (error: unknown) => this.#failHandler(error),
    );
  }

  get messages(): AsyncIterable<Uint8Array> {
    return this.#messages.queue();
  }

  // Handlers may destructure the call, so its functions are bound.

  get send(): StreamCall["send"] {
    return (message) =>
      new Promise((resolve, reject) => {
        this.#connection.sender.sendData(this, encodeFrame(message), false, (isSent) => {
          if (isSent) resolve();
          else reject(grpcError("CANCELLED", "The call has ended."));
        });
      });
  }

  get onClosed(): StreamCall["onClosed"] {
    return (listener) => {
      if (this.isClosed) this.#connection.afterwards(listener);
      else (this.#closedListeners ??= []).push(listener);
    };
  }

  /** Created when a handler uses it: most calls end before they could be cancelled. */
  get signal(): AbortSignal {
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

  closed(): void {
    if (this.#deadline !== undefined) clearTimeout(this.#deadline);
    if (!this.#isOver) {
      this.#isOver = true;
      this.#abort(grpcError("CANCELLED", "The caller cancelled the call or disconnected."));
    }
    if (!this.#isHandled) this.#messages.release();
    this.#messages.end();
    const listeners = this.#closedListeners;
    if (listeners !== undefined) {
      this.#connection.afterwards(() => {
        for (const listener of listeners) listener();
      });
    }
  }

  #settle(): void {
    this.#isHandled = false;
    this.#messages.release();
  }

  #failHandler(error: unknown): void {
    this.#settle();
    this.#fail(error);
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    if (isGrpcError(error)) {
      this.#finish(error.code, error.message);
      return;
    }
    this.#server.onHandlerError?.(this.#path, error);
    this.#finish(
      "INTERNAL",
      `${this.#path} failed unexpectedly. This is a bug in the provider. Its log (TF_LOG=ERROR) has the details.`,
    );
  }

  #finish(code: GrpcStatusName, message: string): void {
    this.#isOver = true;
    this.#messages.end();
    const head = this.#hasHead ? {} : { ":status": "200", "content-type": contentType };
    const block = headerBlock({ ...head, ...statusTrailers(code, message) });
    this.#connection.sender.sendHeaders(this, block, true);
  }
}

/** Quotes only a path that a method can have. A peer can send any other with two bytes, and its encoding is long. */
const quotable = (path: string): string =>
  /^[\w./-]{1,200}$/.test(path) ? `The method ${path}` : "The called method";

function refusalOf({ method, contentType: type }: RequestHeaders): number {
  if (method !== "POST") return 405;
  return type?.startsWith(contentType) === true ? 0 : 415;
}
