import type { Decoded, Encodable, Message } from "../protobuf/protobuf";

/** A remote procedure: its path in HTTP/2, and what goes in and comes out. */
export interface Method<
  Request extends Message<unknown> = Message<unknown>,
  Response extends Message<unknown> = Message<unknown>,
  Kind extends MethodKind = MethodKind,
> {
  readonly path: string;
  readonly kind: Kind;
  readonly request: Request;
  readonly response: Response;
}

/** One message each way, many back, or many both ways. */
export type MethodKind = "unary" | "serverStream" | "bidirectionalStream";

/** What the server receives. */
export type RequestOf<M extends Method> = Decoded<M["request"]>;
/** What the server answers. */
export type ResponseInitOf<M extends Method> = Encodable<M["response"]>;
/** What a client sends. */
export type RequestInitOf<M extends Method> = Encodable<M["request"]>;
/** What a client receives. */
export type ResponseOf<M extends Method> = Decoded<M["response"]>;
