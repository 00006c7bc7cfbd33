import type { Declaration } from "../../schema/declaration";
import type { Values } from "../../schema/resource-rule";
import { UNKNOWN } from "../../schema/unknown";
import { wireName } from "../../schema/wire-name";
import { ProviderError } from "./provider-error";

/** The name of an attribute or a block of a provider, in its declaration. */
export type SettingName<D extends Declaration> = string &
  (keyof D["attributes"] | keyof D["blocks"]);

/**
 * Those of the named settings that are unknown, or hold something that is: while planning, what they come
 * from may not exist yet.
 */
export function unknownSettings<Name extends string>(
  config: Values,
  names: readonly Name[],
): readonly Name[] {
  return names.filter((name) => holdsUnknown(config[name]));
}

function holdsUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsUnknown);
}

/** What cannot be done without a setting, and what else the user can do about it. */
export interface BlockedWork {
  /** After "cannot": `ask the service`. */
  readonly to: string;
  /** @default give the setting a value that is known while planning */
  readonly otherwise?: string | undefined;
}

/** The error of a handler that needs settings which are not known yet; it names them as Terraform does. */
export function settingsNotKnownYet<D extends Declaration>(
  declaration: D,
  settings: readonly SettingName<D>[],
  { to, otherwise = "give the setting a value that is known while planning" }: BlockedWork,
): ProviderError {
  const { type, attributes, blocks }: Declaration = declaration;
  const names = settings.map((name) => wireName(name, attributes[name] ?? blocks[name]));
  const are = names.length === 1 ? "is" : "are";
  return new ProviderError({
    summary: "Provider Setting Not Known Yet",
    detail:
      `The ${type} provider cannot ${to} while its ${names.join(", ")} ${are} only known after apply. ` +
      `Create what the setting comes from first (terraform apply -target=…), or ${otherwise}.`,
  });
}
