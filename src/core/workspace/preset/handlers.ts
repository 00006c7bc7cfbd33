import { implementDataSource, known } from "../../provider-kit";
import { workspacePreset } from "./declare";

/** Handlers of `workspace_workspace_preset`. The platform reads it from the state. */
export const presetHandlers = implementDataSource(workspacePreset)<unknown>({
  read: (config) => Promise.resolve(known({ ...config, id: config.name })),
});
