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
