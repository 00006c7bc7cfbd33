import { field, type Message, message } from "../grpc/protobuf";
import { Diagnostic } from "./tfplugin6-value";

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
type MethodKind = "unary" | "serverStream" | "bidirectionalStream";

/** Defines a procedure of the service `Provider`. */
export const unary = <Request extends Message<unknown>, Response extends Message<unknown>>(
  name: string,
  request: Request,
  response: Response,
): Method<Request, Response, "unary"> => ({ path: pathOf(name), kind: "unary", request, response });

/** Defines a procedure of the service `Provider` that responds with any number of events. */
export const serverStream = <Request extends Message<unknown>, Event extends Message<unknown>>(
  name: string,
  request: Request,
  response: Event,
): Method<Request, Event, "serverStream"> => ({
  path: pathOf(name),
  kind: "serverStream",
  request,
  response,
});

const pathOf = (name: string): string => `/tfplugin6.Provider/${name}`;

/** A response that has only problems. */
export const problems = message(() => ({
  diagnostics: field.repeated(field.message(1, () => Diagnostic)),
}));
