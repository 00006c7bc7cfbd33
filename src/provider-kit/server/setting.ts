import type { Declaration } from "../../schema/declaration";
import type { Values } from "../../schema/resource-rule";
import { UNKNOWN, type Unknown } from "../../schema/unknown";
import { wireName } from "../../schema/attribute";
import { ProviderError } from "./provider-error";

/** Environment variables, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of a setting, and where it comes from. */
export interface FoundSetting {
  readonly value: string;
  /** The setting's name in Terraform, or the environment variable, for messages. */
  readonly source: string;
}

/**
 * Finds a string setting of a provider: the configuration's value, else the value of its first
 * environment variable that is set. Unknown if the configuration's value is unknown.
 *
 * An empty string counts as not set, in the configuration and in the environment.
 *
 * @param declaration lists the environment variables, in the attribute's `env`
 * @returns undefined when it is set nowhere
 */
export function findSetting<D extends Declaration>(
  declaration: D,
  name: keyof D["attributes"] & string,
  config: Values,
  env: Environment,
): FoundSetting | Unknown | undefined {
  const attribute = declaration.attributes[name];
  const given = config[name];
  if (given === UNKNOWN) return UNKNOWN;
  if (typeof given === "string" && given !== "") {
    return { value: given, source: wireName(name, attribute) };
  }
  for (const variable of attribute?.env ?? []) {
    const value = env[variable];
    if (value !== undefined && value !== "") return { value, source: variable };
  }
  return undefined;
}

/** Returns the value of a setting that {@link findSetting} finds. */
export function stringSetting<D extends Declaration>(
  declaration: D,
  name: keyof D["attributes"] & string,
  config: Values,
  env: Environment,
): string | Unknown | undefined {
  const found = findSetting(declaration, name, config, env);
  return found === undefined || found === UNKNOWN ? found : found.value;
}

/**
 * Returns a boolean setting. Environment variables may be `true`, `false`, `1` or `0`, in any case.
 *
 * @throws ProviderError when the environment variable has another value
 */
export function booleanSetting<D extends Declaration>(
  declaration: D,
  name: keyof D["attributes"] & string,
  config: Values,
  env: Environment,
): boolean | Unknown | undefined {
  const given = config[name];
  if (given === UNKNOWN || typeof given === "boolean") return given;
  const found = findSetting(declaration, name, {}, env);
  if (found === undefined || found === UNKNOWN) return found;
  if (/^(?:true|1)$/i.test(found.value)) return true;
  if (/^(?:false|0)$/i.test(found.value)) return false;
  throw new ProviderError({
    summary: "Invalid Environment Variable",
    detail: `The environment variable ${found.source} must be true or false.`,
    path: [name],
  });
}
