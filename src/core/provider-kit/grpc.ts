/** gRPC for clients of other services. A face of the kit inside this repository: no package exports it. */
export { createGrpcClient } from "./wire/grpc/grpc-client";
export { isGrpcError } from "./wire/grpc/grpc-headers";
export { field, message, isProtobufError } from "./wire/grpc/protobuf";
