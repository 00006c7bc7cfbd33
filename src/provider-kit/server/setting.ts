import type { Declaration } from "../../schema/declaration";
import type { Values } from "../../schema/resource-rule";
import { UNKNOWN, type Unknown } from "../../schema/unknown";

/** The environment in which a provider runs. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What a setting of a provider is that is a text: the configuration's value, else that of the first of
 * its environment variables that is set; unknown while the configuration's value is.
 *
 * The empty text is no value, wherever it stands.
 *
 * @param declaration names the variables, as `env` of the attribute
 * @returns undefined when nobody gives one
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
