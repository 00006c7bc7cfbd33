import type { Declaration } from "../../schema/declaration";
import type { Values } from "../../schema/resource-rule";
import { UNKNOWN } from "../../schema/unknown";
import { wireName } from "../../schema/attribute";
import { Deferral } from "./provider-error";

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

function containsUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(containsUnknown);
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
 * Creates the error for a handler that needs settings which are not known yet. Names them as Terraform does.
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
