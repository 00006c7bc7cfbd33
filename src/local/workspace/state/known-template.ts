import { didYouMean } from "../../../core/schema";
import { localPlatformError } from "../terraform/local-platform-error";
import type { PlatformView, SeenParameter, SeenPreset } from "../view/seen";

/** The data about an imported template that the platform saves. */
export interface KnownTemplate {
  /** A hash of everything that the import depends on. */
  readonly version: string;
  /** The parameters, with their defaults as values. */
  readonly parameters: readonly SeenParameter[];
  readonly presets: readonly SeenPreset[];
}

/** What users choose instead of a preset. A new workspace otherwise gets the default one. */
export const noPreset = "none";

export const defaultPreset = ({ presets }: Pick<PlatformView, "presets">): string | undefined =>
  presets.find(({ isDefault }) => isDefault)?.name;

type Values = Readonly<Record<string, string>>;

/**
 * Returns the parameter values of a preset.
 *
 * @throws LocalPlatformError if the template has no such preset
 */
export function presetInputs(name: string, { presets }: Pick<PlatformView, "presets">): Values {
  const preset = presets.find((one) => one.name === name);
  if (preset !== undefined) return preset.parameters;
  const names = presets.map((one) => `"${one.name}"`).join(", ");
  throw localPlatformError("REQUEST", `The template has no preset "${name}".`, {
    advice: names === "" ? "It has no presets." : `It has ${names}.`,
  });
}

/**
 * Refuses values for parameters that the template does not have.
 *
 * @throws LocalPlatformError
 */
export function requireKnown(
  names: readonly string[],
  parameters: readonly { readonly name: string }[],
): void {
  const known = [...new Set(parameters.map(({ name }) => name))];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const list = known.map((name) => `"${name}"`).join(", ");
  throw localPlatformError(
    "REQUEST",
    `The parameter "${unknown}" is not present in the template${didYouMean(unknown, known)}`.replace(
      /[^?]$/,
      "$&.",
    ),
    { advice: known.length === 0 ? "It has no parameters." : `It has ${list}.` },
  );
}

/**
 * Returns the value of every parameter: the input, otherwise the previous build's value, otherwise the
 * default.
 */
export function effectiveParameters(
  { parameters }: Pick<KnownTemplate, "parameters">,
  previous: Values,
  inputs: Values,
): Values {
  const defaults = parameters.flatMap(({ name, optional, value }) =>
    optional && value !== undefined ? [[name, value] as const] : [],
  );
  const ephemeral = new Set(parameters.filter((one) => one.ephemeral).map(({ name }) => name));
  const kept = Object.entries(previous).filter(([name]) => !ephemeral.has(name));
  return { ...Object.fromEntries([...defaults, ...kept]), ...inputs };
}
