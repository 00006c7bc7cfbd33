/** gRPC for clients of other services. A face of the kit inside this repository: no package exports it. */
export { createGrpcClient } from "./wire/grpc/grpc-client";
export { GrpcError } from "./wire/grpc/grpc-headers";
export { field, message, ProtobufError } from "./wire/grpc/protobuf";
