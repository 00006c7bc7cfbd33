import {
  implementDataSource,
  implementEphemeralResource,
  known,
  ProviderError,
} from "../../provider-kit";
import type { BuildEnvironment } from "../build/build-environment";
import type { Workspace } from "../provider/configure";
import { ephemeralExternalAuth, externalAuth } from "./declare";

/** Handlers of `workspace_external_auth`: reads the access token from the build data. */
export const externalAuthHandlers = implementDataSource(externalAuth)<Workspace>({
  read(config, { client: { environment }, log, warn }) {
    const accessToken = environment.externalAuthToken(config.id);
    log.redact(accessToken);
    // Not an error: the platform passes no tokens during apply.
    if (accessToken === "" && isNeeded(config, environment)) {
      warn(missing(config.id, environment, ": access_token is empty"));
    }
    return Promise.resolve(known({ ...config, accessToken }));
  },
});

/** Handlers of the ephemeral `workspace_external_auth`: reads the same token, in each phase that needs it. */
export const ephemeralExternalAuthHandlers = implementEphemeralResource(
  ephemeralExternalAuth,
)<Workspace>({
  open(config, { client: { environment }, log }) {
    const accessToken = environment.externalAuthToken(config.id);
    log.redact(accessToken);
    if (accessToken === "" && isNeeded(config, environment)) {
      throw new ProviderError(missing(config.id, environment, ""));
    }
    return Promise.resolve(known({ ...config, accessToken }));
  },
});

const isNeeded = (
  { optional }: { readonly optional: boolean | null },
  { isRealBuild, transition }: BuildEnvironment,
): boolean => isRealBuild && transition === "start" && optional !== true;

/** @param consequence a clause after "which is not optional" */
const missing = (id: string, { variables }: BuildEnvironment, consequence: string) => ({
  summary: "Missing External Token",
  detail:
    `The build starts a workspace, but there is no access token for ${JSON.stringify(id)}, ` +
    `which is not optional${consequence}. The owner must log in to the service. The ` +
    `platform passes the token as ${variables.externalAuthToken(id)}, and only ` +
    "during the plan.",
  path: ["id"],
});
