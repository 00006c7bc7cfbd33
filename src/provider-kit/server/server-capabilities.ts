import type { ServerCapabilitiesInit } from "../wire/tfplugin6/tfplugin6";

/** What Terraform may rely on; it asks for the schema once a command instead of once a process. */
export const serverCapabilities: ServerCapabilitiesInit = { getProviderSchemaOptional: true };
