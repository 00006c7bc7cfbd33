import { isOlder } from "../../../core/workspace/product/platform-versions";
import { error, quoted } from "./platform-value";
import type { Preview, PreviewDiagnostic, PreviewedParameter, PreviewedPreset } from "./preview";

/**
 * Evaluates the template with the values of each preset, and adds what is wrong with them.
 *
 * As of version 2.31, the platform does this when a template is imported, for presets with prebuilds: no user enters the missing
 * values of a prebuild. Problems of other presets are only advice, because the platform accepts the template.
 *
 * @param evaluated previews the template with values of parameters
 * @see https://github.com/coder/coder/pull/21858
 */
export async function withTriedPresets(
  preview: Preview,
  evaluated: (values: PreviewedPreset["parameters"]) => Promise<Preview>,
  version?: string,
): Promise<Preview> {
  // The platform refuses the template anyway.
  if (preview.diagnostics.some(isError)) return preview;
  const presets: PreviewedPreset[] = [];
  for (const preset of preview.presets) {
    const { parameters, prebuilds, diagnostics } = preset;
    const isTried = prebuilds > 0 || Object.keys(parameters).length > 0;
    const found =
      isTried && !diagnostics.some(isError)
        ? problemsOf(preset, await evaluated(parameters), isOlder(version, "prebuiltPresets"))
        : [];
    presets.push({ ...preset, diagnostics: [...diagnostics, ...found] });
  }
  return { ...preview, presets };
}

function problemsOf(
  { parameters: values, prebuilds }: PreviewedPreset,
  { diagnostics, parameters }: Preview,
  isOlderPlatform: boolean,
): readonly PreviewDiagnostic[] {
  // Older versions check the values of all presets, but not whether they are all there.
  const isPrebuilt = prebuilds > 0 && !isOlderPlatform;
  const isRefused = prebuilds > 0 || isOlderPlatform;
  const ofTemplate = diagnostics.filter(isError);
  const undefinedNames = Object.keys(values)
    .filter((name) => !parameters.some((parameter) => parameter.name === name))
    .map((name) =>
      error(
        "Undefined Parameter",
        `Preset parameter ${quoted(name)} is not defined by the template.`,
      ),
    );
  const ofParameters = parameters
    // Users of other presets enter the rest.
    .filter(({ name }) => isPrebuilt || Object.hasOwn(values, name))
    .flatMap(errorsOf);
  const found = ofTemplate.length > 0 ? ofTemplate : [...undefinedNames, ...ofParameters];
  return isRefused ? found : found.map((problem) => ({ ...problem, severity: "warning" }));
}

const errorsOf = ({ name, diagnostics }: PreviewedParameter): readonly PreviewDiagnostic[] =>
  diagnostics
    .filter(isError)
    .map(({ summary, detail }) => error(`Parameter ${name}: ${summary}`, detail));

const isError = ({ severity }: PreviewDiagnostic): boolean => severity === "error";
