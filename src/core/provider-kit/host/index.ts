export {
  createLogger,
  type LogFields,
  type Logger,
  type LogLevel,
  type LogMethod,
} from "../records/logging";
export type { ProviderHost, ProviderRoutes } from "./connection/provider-grpc";
export { type Reattached, type ReattachOptions, startReattach } from "./reattach";
export { serve, type ServeOptions } from "./serve";
export { type ServedProvider, serveProject } from "./serve-warm";
