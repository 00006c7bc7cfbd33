export { createLogger, type LogFields, type Logger, type LogMethod } from "./log/logging";
export type { LogLevel } from "./log/log-level";
export type { ProviderHost, ProviderRoutes } from "./connection/provider-grpc";
export { type Reattached, type ReattachOptions, startReattach } from "./reattach";
export { serve, type ServeOptions } from "./serve";
