import { wireName } from "../../schema/attribute";
import type { Declaration } from "../../schema/declaration";
import type { Values } from "../../schema/resource-rule";
import { UNKNOWN, type Unknown } from "../../schema/type";
import { Deferral, ProviderError } from "./provider-error";
import { containsUnknown } from "../cty/value";
import type { Environment } from "../records/logging";

/** The value of a setting, and its source. */
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

/** The name of an attribute or block of a provider, as declared. */
export type SettingName<D extends Declaration> = string &
  (keyof D["attributes"] | keyof D["blocks"]);

/**
 * Returns the named settings that are unknown or contain unknown values. During a plan, the
 * resources that they depend on may not exist yet.
 */
export function unknownSettings<Name extends string>(
  config: Values,
  names: readonly Name[],
): readonly Name[] {
  return names.filter((name) => containsUnknown(config[name]));
}

/** The work that needs a setting, and the alternative for the user. */
export interface BlockedWork {
  /** A verb phrase that follows "cannot", such as `call the service`. */
  readonly to: string;
  /**
   * A clause that follows "or".
   *
   * @default set the setting to a value that is known during the plan
   */
  readonly otherwise?: string | undefined;
}

/**
 * Creates the error for a handler that needs settings which are not known yet, with their names in Terraform.
 * If Terraform can defer, the error defers the operation.
 */
export function settingsNotKnownYet<D extends Declaration>(
  declaration: D,
  settings: readonly SettingName<D>[],
  { to, otherwise = "set the setting to a value that is known during the plan" }: BlockedWork,
): Deferral {
  const { type, attributes, blocks }: Declaration = declaration;
  const names = settings.map((name) => wireName(name, attributes[name] ?? blocks[name]));
  const are = names.length === 1 ? "is" : "are";
  return new Deferral({
    reason: "PROVIDER_CONFIG_UNKNOWN",
    summary: "Provider Setting Not Known Yet",
    detail:
      `The ${type} provider cannot ${to} while its ${names.join(", ")} ${are} only known after apply. ` +
      `Create what the setting depends on first (terraform apply -target=…), or ${otherwise}.`,
  });
}
