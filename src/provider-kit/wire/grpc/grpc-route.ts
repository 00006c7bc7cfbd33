import { GrpcError } from "./grpc-error";

/** What a handler knows about the call besides its message. */
export interface CallContext {
  /** Aborted when the caller cancels, disconnects, or its deadline passes. */
  readonly signal: AbortSignal;
  /** Calls back when the answer has been sent, or the caller has gone. */
  readonly onClosed: (listener: () => void) => void;
}

/** Answers one message with one message. */
export type UnaryHandler = (
  request: Uint8Array,
  context: CallContext,
) => Uint8Array | Promise<Uint8Array>;

/** A call that reads and writes any number of messages. */
export interface StreamCall extends CallContext {
  /** What the caller sends; ends when the caller half-closes. */
  readonly messages: AsyncIterable<Uint8Array>;
  /** Sends a message; resolves when the next one may follow. */
  readonly send: (message: Uint8Array) => Promise<void>;
}

/** Serves a stream; the call ends with OK when the promise resolves. */
export type StreamHandler = (call: StreamCall) => Promise<void>;

/** What stands behind one path, such as `/tfplugin6.Provider/GetMetadata`. */
export type Route =
  | { readonly kind: "unary"; readonly handle: UnaryHandler }
  | { readonly kind: "stream"; readonly handle: StreamHandler };

/** Routes by path. */
export type Routes = ReadonlyMap<string, Route>;

/** The part of a method description that serving it needs. */
export interface ServedMethod<Request, Response> {
  readonly path: string;
  readonly kind: "unary";
  readonly request: { decode(bytes: Uint8Array): Request };
  readonly response: { encode(value: Response): Uint8Array };
}

/**
 * Makes the entry of a method for a map of routes.
 *
 * @example new Map([unary(providerMethods.getMetadata, () => ({ … }))])
 */
export function unary<Request, Response, Answer extends NoInfer<Response>>(
  method: ServedMethod<Request, Response>,
  handler: (request: Request, context: CallContext) => Answer | Promise<Answer>,
): readonly [string, Route] {
  const encode = (response: Response): Uint8Array => method.response.encode(response);
  const handle: UnaryHandler = (bytes, context) => {
    const response = handler(decode(method, bytes), context);
    return response instanceof Promise ? response.then(encode) : encode(response);
  };
  return [method.path, { kind: "unary", handle }];
}

function decode<Request, Response>(
  method: ServedMethod<Request, Response>,
  bytes: Uint8Array,
): Request {
  try {
    return method.request.decode(bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unreadable";
    throw new GrpcError(
      "INVALID_ARGUMENT",
      `The request of ${method.path} (${bytes.byteLength} bytes) could not be decoded: ${reason}`,
      { cause: error },
    );
  }
}
