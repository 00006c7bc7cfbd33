import { type JsonObject, listOf, objectOf, textOf } from "../terraform/json-value";
import { LocalPlatformError } from "../terraform/local-platform-error";
import type { PlatformView, SeenParameter, SeenPreset } from "../view/platform-view";

/** What the platform remembers of a template that was imported. */
export interface KnownTemplate {
  /** A hash of all that the import saw. */
  readonly version: string;
  /** With the defaults as values. */
  readonly parameters: readonly SeenParameter[];
  readonly presets: readonly SeenPreset[];
}

type Values = Readonly<Record<string, string>>;

/**
 * The inputs that a preset stands for.
 *
 * @throws LocalPlatformError when there is no such preset
 */
export function presetInputs(name: string, { presets }: Pick<PlatformView, "presets">): Values {
  const preset = presets.find((one) => one.name === name);
  if (preset !== undefined) return preset.parameters;
  const names = presets.map((one) => `"${one.name}"`).join(", ");
  throw new LocalPlatformError(
    "REQUEST",
    `The template has no preset "${name}".`,
    names === "" ? "It has none at all." : `It has ${names}.`,
  );
}

/** The value of every parameter: what is asked for, else what the build before had, else the default. */
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

/** Reads what was written as JSON; undefined when it says nothing of a template. */
export function knownTemplateFrom(json: JsonObject): KnownTemplate | undefined {
  const version = textOf(json["version"]);
  if (version === "") return undefined;
  return {
    version,
    parameters: listOf(json["parameters"]).map(objectOf).map(parameterFrom),
    presets: listOf(json["presets"]).map(objectOf).map(presetFrom),
  };
}

function parameterFrom(json: JsonObject): SeenParameter {
  return {
    address: textOf(json["address"]),
    name: textOf(json["name"]),
    type: textOf(json["type"]),
    value: json["value"] === undefined ? undefined : textOf(json["value"]),
    optional: json["optional"] === true,
    mutable: json["mutable"] === true,
    ephemeral: json["ephemeral"] === true,
  };
}

function presetFrom(json: JsonObject): SeenPreset {
  const parameters = Object.entries(objectOf(json["parameters"]));
  return {
    name: textOf(json["name"]),
    isDefault: json["isDefault"] === true,
    parameters: Object.fromEntries(parameters.map(([name, value]) => [name, textOf(value)])),
    prebuilds: Number(json["prebuilds"] ?? 0),
  };
}
