import { implementDataSource, known } from "../../provider-kit";
import { workspaceTags } from "./declare";
import { derivedUuid } from "../provider/configure";

/** Handlers of `workspace_workspace_tags`. The platform reads the tags from the state. */
export const tagsHandlers = implementDataSource(workspaceTags)<unknown>({
  read(config) {
    const pairs = Object.entries(config.tags ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Promise.resolve(known({ ...config, id: derivedUuid("tags", ...pairs.flat()) }));
  },
});
