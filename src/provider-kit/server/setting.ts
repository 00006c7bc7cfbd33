import type { Declaration } from "../../schema/declaration";
import type { Values } from "../../schema/resource-rule";
import { UNKNOWN, type Unknown } from "../../schema/unknown";

/** Environment variables, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the value of a string setting of a provider: the configuration's value, else the value of
 * its first environment variable that is set. Unknown if the configuration's value is unknown.
 *
 * An empty string counts as not set, in the configuration and in the environment.
 *
 * @param declaration lists the environment variables, in the attribute's `env`
 * @returns undefined when it is set nowhere
 */
export function stringSetting<D extends Declaration>(
  declaration: D,
  name: keyof D["attributes"] & string,
  config: Values,
  env: Environment,
): string | Unknown | undefined {
  const given = config[name];
  if (given === UNKNOWN) return UNKNOWN;
  if (typeof given === "string" && given !== "") return given;
  for (const variable of declaration.attributes[name]?.env ?? []) {
    const value = env[variable];
    if (value !== undefined && value !== "") return value;
  }
  return undefined;
}
