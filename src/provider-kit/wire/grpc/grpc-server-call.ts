import { headerBlock } from "../http2/header-block";
import type { Http2Connection } from "../http2/http2-connection";
import { Http2Stream } from "../http2/http2-stream";
import type { RequestHeaders } from "../http2/request-headers";
import { GrpcError } from "./grpc-error";
import { FrameReader, encodeFrame } from "./grpc-frame";
import { MessageQueue } from "./grpc-message-queue";
import type { CallContext, Route } from "./grpc-route";
import { GrpcStatus, type GrpcStatusName, encodeStatusMessage } from "./grpc-status";
import { parseTimeout } from "./grpc-timeout";

const contentType = "application/grpc";
const prefixBytes = 5;

/** What the calls of a server share. */
export interface GrpcServerContext {
  /** Finds the handler of a path. */
  readonly findRoute: (path: string) => Route | undefined | Promise<Route | undefined>;
  readonly onHandlerError: ((path: string, error: unknown) => void) | undefined;
}

let blocks: { readonly head: Buffer; readonly ok: Buffer } | undefined;

/** The headers and the trailers of a call that succeeds. */
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
export class GrpcServerCall extends Http2Stream implements CallContext {
  readonly #connection: Http2Connection;
  readonly #server: GrpcServerContext;
  readonly #headers: RequestHeaders;
  #route: Route | undefined;
  /** The message of a unary call that arrived in one piece, as nearly all do. */
  #message: Uint8Array | undefined;
  #frames: FrameReader | undefined;
  /** The messages of a stream, and of a unary call those after the first. */
  #incoming: MessageQueue | undefined;
  #extraMessages = 0;
  #hasHead = false;
  #isOver = false;
  #aborter: AbortController | undefined;
  #abortReason: GrpcError | undefined;
  #deadline: NodeJS.Timeout | undefined;
  #closedListeners: (() => void)[] | undefined;

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
  }

  get #path(): string {
    return this.#headers.path ?? "";
  }

  begin(): void {
    const { timeout } = this.#headers;
    const refusal = refusalOf(this.#headers);
    if (refusal !== 0) {
      this.#isOver = true;
      const block = headerBlock({ ":status": String(refusal) });
      this.#connection.sender.sendHeaders(this, block, true);
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

  #setDeadline(header: string): boolean {
    const timeout = parseTimeout(header);
    if (timeout === "malformed") {
      this.#finish("INTERNAL", "The header grpc-timeout is malformed.");
      return false;
    }
    this.#deadline = setTimeout(() => {
      const error = new GrpcError("DEADLINE_EXCEEDED", "The caller's deadline has passed.");
      this.#abort(error);
      this.#fail(error);
    }, timeout);
    this.#deadline.unref();
    return true;
  }

  #use(route: Route | undefined): void {
    if (this.#isOver) return;
    if (route === undefined) {
      this.#fail(new GrpcError("UNIMPLEMENTED", `The method ${this.#path} does not exist.`));
      return;
    }
    this.#route = route;
    if (route.kind === "stream") this.#serveStream(route);
    else if (this.isReceived || this.#incoming !== undefined) this.#serveUnary(route);
  }

  receive(bytes: Buffer, start: number, end: number): void {
    if (this.#isOver) return;
    if (this.#frames === undefined && isWholeMessage(bytes, start, end)) {
      const from = start + prefixBytes;
      const waits = this.#incoming !== undefined;
      this.#accept(waits ? pieceOf(bytes, from, end) : bytes.subarray(from, end));
      return;
    }
    try {
      this.#frames ??= new FrameReader();
      for (const message of this.#frames.push(pieceOf(bytes, start, end))) this.#accept(message);
    } catch (error) {
      this.#refuse(error);
    }
  }

  #accept(message: Uint8Array): void {
    if (this.#incoming !== undefined) {
      this.isBehind = true;
      this.#incoming.push(message);
    } else if (this.#message === undefined) this.#message = message;
    // A stream whose route is still being made can have several. Nothing else keeps them.
    else if (this.#route === undefined) (this.#incoming = this.#queue()).push(message);
    else this.#extraMessages += 1;
  }

  /** Ends a call whose request is malformed, which the handler of a stream may already be reading. */
  #refuse(error: unknown): void {
    if (error instanceof GrpcError) this.#abort(error);
    this.#fail(error);
  }

  #queue(): MessageQueue {
    const queue = new MessageQueue(() => {
      this.isBehind = false;
      this.#connection.enlarge(this);
    });
    if (this.#message !== undefined) queue.push(this.#message);
    return queue;
  }

  receiveEnd(): void {
    if (this.#isOver) return;
    if (this.#frames?.isPartial === true) {
      this.#refuse(new GrpcError("INTERNAL", "The request ends in the middle of a message."));
      return;
    }
    const route = this.#route;
    if (this.#incoming !== undefined) this.#incoming.end();
    if (route?.kind === "unary") this.#serveUnary(route);
  }

  #serveUnary(route: Route & { kind: "unary" }): void {
    const message = this.#message;
    try {
      if (message === undefined) throw new GrpcError("INTERNAL", "The call contains no message.");
      if (this.#extraMessages > 0 || this.#incoming !== undefined) {
        throw new GrpcError("INTERNAL", "The call contains more than one message; it accepts one.");
      }
      const handled = route.handle(message, this);
      if (handled instanceof Promise) {
        handled.then(
          (response) => this.#respond(response),
          (error: unknown) => this.#fail(error),
        );
      } else this.#respond(handled);
    } catch (error) {
      this.#fail(error);
    }
  }

  #respond(response: Uint8Array): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { head, ok } = okBlocks();
    this.#connection.sender.answer(this, head, response, ok);
  }

  #serveStream(route: Route & { kind: "stream" }): void {
    const messages = (this.#incoming ??= this.#queue());
    if (this.isReceived) messages.end();
    this.#hasHead = true;
    this.#connection.sender.sendHeaders(this, okBlocks().head, false);
    const call = this.#streamCall(messages);
    route.handle(call).then(
      () => {
        if (this.#isOver) return;
        this.#isOver = true;
        this.#connection.sender.sendHeaders(this, okBlocks().ok, true);
      },
      (error: unknown) => this.#fail(error),
    );
  }

  #streamCall(messages: MessageQueue) {
    const signal = (): AbortSignal => this.signal;
    return {
      messages,
      send: (message: Uint8Array): Promise<void> => this.#send(message),
      get signal() {
        return signal();
      },
      onClosed: (listener: () => void) => {
        this.onClosed(listener);
      },
    };
  }

  #send(message: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#connection.sender.sendData(this, encodeFrame(message), false, (isSent) => {
        if (isSent) resolve();
        else reject(new GrpcError("CANCELLED", "The call has ended."));
      });
    });
  }

  /** Bound to the call, because a handler may take it out of its context. */
  get onClosed(): CallContext["onClosed"] {
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
      this.#abort(new GrpcError("CANCELLED", "The caller cancelled the call or disconnected."));
    }
    this.#incoming?.end();
    const listeners = this.#closedListeners;
    if (listeners !== undefined) {
      this.#connection.afterwards(() => {
        for (const listener of listeners) listener();
      });
    }
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    if (error instanceof GrpcError) {
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
    this.#incoming?.end();
    const status = {
      "grpc-status": String(GrpcStatus[code]),
      "grpc-message": encodeStatusMessage(message),
    };
    const head = this.#hasHead ? {} : { ":status": "200", "content-type": contentType };
    this.#connection.sender.sendHeaders(this, headerBlock({ ...head, ...status }), true);
  }
}

/** A piece of what was read. A short one is copied: it would keep all that was read with it. */
function pieceOf(bytes: Buffer, start: number, end: number): Buffer {
  const piece = bytes.subarray(start, end);
  return piece.length * 8 < bytes.length ? Buffer.from(piece) : piece;
}

/** Whether a piece of a body is exactly one message, not compressed. */
function isWholeMessage(bytes: Buffer, start: number, end: number): boolean {
  const length = end - start - prefixBytes;
  return length >= 0 && bytes[start] === 0 && bytes.readUInt32BE(start + 1) === length;
}

function refusalOf({ method, contentType: type }: RequestHeaders): number {
  if (method !== "POST") return 405;
  return type?.startsWith(contentType) === true ? 0 : 415;
}
