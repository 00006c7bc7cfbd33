import { implementDataSource, known } from "../../provider-kit";
import { derivedUuid } from "../provider/configure";
import { scriptOrder } from "./declare";

/** Handlers of `workspace_script_order`. The platform reads the rules from the state. */
export const scriptOrderHandlers = implementDataSource(scriptOrder)<unknown>({
  read: (config) =>
    Promise.resolve(
      known({ ...config, id: derivedUuid("script-order", JSON.stringify(config.rules)) }),
    ),
});
