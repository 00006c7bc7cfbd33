import { implementDataSource, known } from "../../provider-kit";
import { externalAuth } from "./declare";
import type { Workspace } from "../provider/configure";

/** How the token of an external service is read. */
export const externalAuthHandlers = implementDataSource(externalAuth)<Workspace>({
  read(config, { client: { environment }, log, warn }) {
    const accessToken = environment.externalAuthToken(config.id);
    log.redact(accessToken);
    const isNeeded = environment.isRealBuild && environment.transition === "start";
    // No error: while applying, the platform gives nobody's tokens.
    if (accessToken === "" && isNeeded && config.optional !== true) {
      warn({
        summary: "No Token Of The External Service",
        detail:
          `A workspace is started, and there is no access token for ${JSON.stringify(config.id)}, which ` +
          "is not optional: access_token is empty. Its owner has to log in at the service; the platform " +
          `gives the token as ${environment.variables.externalAuthToken(config.id)}, and only while ` +
          "planning.",
        path: ["id"],
      });
    }
    return Promise.resolve(known({ ...config, accessToken }));
  },
});
