/** gRPC for clients of other services, used only inside this repository: no package exports it. */
export { createGrpcClient } from "./wire/grpc/grpc-client";
export { isGrpcError } from "./wire/grpc/grpc-headers";
export { field, message } from "./wire/grpc/protobuf";
export { isProtobufError } from "./wire/grpc/protobuf-wire";
