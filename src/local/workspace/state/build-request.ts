import { didYouMean } from "../../../core/schema";
import { localPlatformError } from "../terraform/local-platform-error";
import type { PlatformView, SeenParameter, SeenPreset } from "../view/seen";

export type Transition = "start" | "stop" | "delete";

export interface BuildRequest {
  readonly transition: Transition;
  /** Name of the workspace. @default "dev" */
  readonly workspace?: string | undefined;
  /**
   * The owner's user name. It cannot be changed later.
   *
   * @default the workspace's owner; "dev" for a new one
   */
  readonly owner?: string | undefined;
  /** Inputs by parameter name. Other parameters keep the value of the previous build. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /**
   * Name of a preset, or `none`. Its values replace those of `parameters`.
   *
   * @default the default preset for a new workspace, otherwise none
   */
  readonly preset?: string | undefined;
  /** Prebuilds a new workspace, without an owner yet. Only with `start`. */
  readonly prebuild?: boolean | undefined;
  /** Assigns a prebuilt workspace to its owner. Only with `start`. */
  readonly claim?: boolean | undefined;
  /** Access tokens by the ID of the external provider. */
  readonly externalAuth?: Readonly<Record<string, string>> | undefined;
  /** The owner's secrets by environment variable name. */
  readonly secretEnv?: Readonly<Record<string, string>> | undefined;
  /** The owner's secrets by file path, as written in the template. */
  readonly secretFiles?: Readonly<Record<string, string>> | undefined;
  /** Prompt of an AI task that the workspace runs. Only for a new workspace. */
  readonly taskPrompt?: string | undefined;
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

/** The saved data about an imported template. */
export interface KnownTemplate {
  /** A hash of everything that the import depends on. */
  readonly version: string;
  /** The parameters, with their defaults as values. */
  readonly parameters: readonly SeenParameter[];
  readonly presets: readonly SeenPreset[];
}

/** The choice of no preset, not even the default one. */
export const noPreset = "none";

export const defaultPreset = ({ presets }: Pick<PlatformView, "presets">): string | undefined =>
  presets.find(({ isDefault }) => isDefault)?.name;

type Values = Readonly<Record<string, string>>;

/** Returns the parameter values of a preset. @throws LocalPlatformError if the template does not have it */
export function presetInputs(name: string, { presets }: Pick<PlatformView, "presets">): Values {
  const preset = presets.find((one) => one.name === name);
  if (preset !== undefined) return preset.parameters;
  const names = presets.map((one) => `"${one.name}"`).join(", ");
  throw localPlatformError("REQUEST", `The template has no preset "${name}".`, {
    advice: names === "" ? "It has no presets." : `It has ${names}.`,
  });
}

/** @throws LocalPlatformError if a name is not that of a parameter */
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

/** Returns the value of every parameter: the input, otherwise that of the previous build, otherwise the default. */
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

/** What a build does, by the name that commands and the page have for it. */
export const buildVerbs = {
  start: { transition: "start" },
  stop: { transition: "stop" },
  prebuild: { transition: "start", prebuild: true },
  claim: { transition: "start", claim: true },
  delete: { transition: "delete" },
} as const satisfies Readonly<
  Record<string, Pick<BuildRequest, "transition" | "prebuild" | "claim">>
>;

export type BuildVerb = keyof typeof buildVerbs;
