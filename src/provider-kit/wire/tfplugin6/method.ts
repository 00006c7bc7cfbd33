import type { Decoded, Encodable, Message } from "../protobuf/protobuf";

/** A remote procedure: its HTTP/2 path and its message types. */
export interface Method<
  Request extends Message<unknown> = Message<unknown>,
  Response extends Message<unknown> = Message<unknown>,
  Kind extends MethodKind = MethodKind,
> {
  /** `/package.Service/Method` */
  readonly path: string;
  readonly kind: Kind;
  readonly request: Request;
  readonly response: Response;
}

/** The streaming of a procedure: its response, its request and response, or neither. */
export type MethodKind = "unary" | "serverStream" | "bidirectionalStream";

/** The request that the server receives. */
export type RequestOf<M extends Method> = Decoded<M["request"]>;
/** The response that the server encodes. */
export type ResponseInitOf<M extends Method> = Encodable<M["response"]>;
