import { grpcError } from "./grpc-headers";

/** The context of a call, besides the message. */
export interface CallContext {
  /** Aborted when the caller cancels or disconnects, or when its deadline passes. */
  readonly signal: AbortSignal;
  /** Registers a listener for when the response has been sent or the caller has disconnected. */
  readonly onClosed: (listener: () => void) => void;
}

/** Handles a unary call: one request message, one response message. */
export type UnaryHandler = (
  request: Uint8Array,
  context: CallContext,
) => Uint8Array | Promise<Uint8Array>;

/** A call that reads and writes any number of messages. */
export interface StreamCall extends CallContext {
  /** The caller's messages; ends when the caller half-closes the stream. */
  readonly messages: AsyncIterable<Uint8Array>;
  /** Sends a message. Resolves when the next one can be sent. */
  readonly send: (message: Uint8Array) => Promise<void>;
}

/** Handles a streaming call. The call ends with OK when the promise resolves. */
export type StreamHandler = (call: StreamCall) => Promise<void>;

/** The handler of one path, such as `/tfplugin6.Provider/GetMetadata`. */
export type Route =
  | { readonly kind: "unary"; readonly handle: UnaryHandler }
  | { readonly kind: "stream"; readonly handle: StreamHandler };

export type Routes = ReadonlyMap<string, Route>;

/** The part of a method description that the server needs. */
interface ServedMethod<Request, Response, Kind = "unary"> {
  readonly path: string;
  readonly kind: Kind;
  readonly request: { decode(bytes: Uint8Array): Request };
  readonly response: { encode(value: Response): Uint8Array };
}

/**
 * Creates the entry of a method for a map of routes.
 *
 * @example new Map([unary(providerMethods.getMetadata, () => ({ … }))])
 */
export function unary<Request, Response, Returned extends NoInfer<Response>>(
  method: ServedMethod<Request, Response>,
  handler: (request: Request, context: CallContext) => Returned | Promise<Returned>,
): readonly [string, Route] {
  const encode = (response: Response): Uint8Array => method.response.encode(response);
  const handle: UnaryHandler = (bytes, context) => {
    const response = handler(decode(method, bytes), context);
    return response instanceof Promise ? response.then(encode) : encode(response);
  };
  return [method.path, { kind: "unary", handle }];
}

/**
 * Creates the entry of a method that responds with any number of messages. Takes the next one from the
 * handler when the previous one has been sent.
 *
 * @param handler ended by `return` when the caller has disconnected
 */
export function serverStream<Request, Response>(
  method: ServedMethod<Request, Response, "serverStream">,
  handler: (request: Request, context: CallContext) => AsyncIterable<Response>,
): readonly [string, Route] {
  const handle: StreamHandler = async (call) => {
    const request = decode(method, await onlyOf(method, call.messages));
    for await (const response of handler(request, call)) {
      await call.send(method.response.encode(response));
    }
  };
  return [method.path, { kind: "stream", handle }];
}

async function onlyOf(
  { path }: { readonly path: string },
  messages: AsyncIterable<Uint8Array>,
): Promise<Uint8Array> {
  let only: Uint8Array | undefined;
  for await (const message of messages) {
    if (only !== undefined) {
      throw grpcError("INTERNAL", `The call of ${path} contains more than one message.`);
    }
    only = message;
  }
  if (only === undefined) throw grpcError("INTERNAL", `The call of ${path} has no message.`);
  return only;
}

function decode<Request, Response>(
  method: ServedMethod<Request, Response, unknown>,
  bytes: Uint8Array,
): Request {
  try {
    return method.request.decode(bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unreadable";
    throw grpcError(
      "INVALID_ARGUMENT",
      `The request of ${method.path} (${bytes.byteLength} bytes) cannot be decoded: ${reason}`,
      { cause: error },
    );
  }
}
