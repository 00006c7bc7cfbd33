export { type ReattachOptions, type Reattached, startReattach } from "../host/reattach";
/** The values of a declaration as Terraform sends them: its own names, msgpack. */
export { Compiled as WireValues } from "../server/compiled";
export { createProviderClient, type ProviderCalls, type ProviderClient } from "./provider-client";
export {
  type Exit,
  type Handshake,
  type SpawnedProvider,
  parseHandshake,
  spawnProvider,
  terraformEnvironment,
} from "./spawn-provider";
export {
  type StartProviderOptions,
  type StartedProvider,
  openSocket,
  startProvider,
} from "./start-provider";
