import { implementDataSource, known } from "../../provider-kit";
import { externalAuth } from "./declare";
import type { Workspace } from "../provider/configure";

/** Handlers of `workspace_external_auth`: reads the access token from the build data. */
export const externalAuthHandlers = implementDataSource(externalAuth)<Workspace>({
  read(config, { client: { environment }, log, warn }) {
    const accessToken = environment.externalAuthToken(config.id);
    log.redact(accessToken);
    const isNeeded = environment.isRealBuild && environment.transition === "start";
    // Not an error: the platform passes no tokens during apply.
    if (accessToken === "" && isNeeded && config.optional !== true) {
      warn({
        summary: "Missing External Token",
        detail:
          `The build starts a workspace, but there is no access token for ${JSON.stringify(config.id)}, ` +
          "which is not optional: access_token is empty. The owner must log in to the service. The " +
          `platform passes the token as ${environment.variables.externalAuthToken(config.id)}, and only ` +
          "during the plan.",
        path: ["id"],
      });
    }
    return Promise.resolve(known({ ...config, accessToken }));
  },
});
