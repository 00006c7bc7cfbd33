import { implementDataSource, known } from "../../provider-kit";
import { workspacePreset } from "./declare";

/** How a preset is read: the platform reads it in the state. */
export const presetHandlers = implementDataSource(workspacePreset)<unknown>({
  read: (config) => Promise.resolve(known({ ...config, id: config.name })),
});
