export { createLogger, type LogFields, type Logger, type LogMethod } from "./logging";
export type { LogLevel } from "./log-level";
export type { ProviderHost, ProviderRoutes } from "./provider-grpc";
export { type Reattached, type ReattachOptions, startReattach } from "./reattach";
export { serve, type ServeOptions } from "./serve";
