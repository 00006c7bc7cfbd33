/** Terraform's plugin protocol, used only inside this repository: no package exports it. */
export type { ProviderRoutes } from "./host/connection/provider-grpc";
export { createLogger } from "./records/logging";
export { embedProvider } from "./host/embed";
export { type Reattached, startReattach } from "./host/reattach";
export { type Route, unary } from "./wire/grpc/grpc-route";
export { type BlockInit, providerMethods } from "./wire/tfplugin6/tfplugin6";
