import type { ConfigOf } from "../../schema/infer";
import { UNKNOWN, type Unknown } from "../../schema/unknown";
import { idsProvider } from "../declare/provider";

type Config = ConfigOf<typeof idsProvider>;

/** The environment in which the provider runs. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What a setting is: the configuration's value, else that of the first environment variable that is
 * set; unknown while the configuration's value is.
 */
export function setting(
  name: keyof Config,
  config: Config,
  env: Environment,
): string | Unknown | undefined {
  const given = config[name];
  if (given === UNKNOWN || (given !== null && given !== "")) return given;
  for (const variable of idsProvider.attributes[name].env ?? []) {
    const value = env[variable];
    if (value !== undefined && value !== "") return value;
  }
  return undefined;
}
