import {
  booleanSetting,
  type ConfigOf,
  type Environment,
  stringSetting,
  UNKNOWN,
} from "../../provider-kit";
import type { Credentials } from "../../google/credentials";
import { idsProvider } from "./declare";

type Config = ConfigOf<typeof idsProvider>;

/** Returns the project whose quota a request uses, from the project of its resource; undefined for the default. */
type QuotaProject = (resourceProject: string | undefined) => string | undefined;

/**
 * Decides whose quota requests use, as Google's provider and Google's libraries do: with
 * `user_project_override`, that of `billing_project`, else of the resource's project. Without it, that of
 * GOOGLE_CLOUD_QUOTA_PROJECT, else of the file of credentials (`quota_project_id`).
 */
export function quotaProject(
  config: Config,
  env: Environment,
  credentials: Credentials | undefined,
): QuotaProject {
  const isOverride = booleanSetting(idsProvider, "userProjectOverride", config, env);
  const billing = stringSetting(idsProvider, "billingProject", config, env);
  if (isOverride === true) {
    return (resourceProject) => (billing === UNKNOWN ? undefined : (billing ?? resourceProject));
  }
  const variable = env["GOOGLE_CLOUD_QUOTA_PROJECT"];
  const fixed = variable === undefined || variable === "" ? credentials?.quotaProject : variable;
  return () => (credentials === undefined ? undefined : fixed);
}
