import { isObject } from "../../../core/json/plain-json";
import { isOlder } from "../../../core/workspace/product/platform-versions";
import { objectOf } from "../terraform/json-value";
import type { EvaluatedBlock } from "./evaluated-block";
import { error, platformValue, quoted } from "./platform-value";
import type { Preview, PreviewDiagnostic, PreviewedParameter, PreviewedPreset } from "./preview";

interface TagValues {
  readonly tags: Readonly<Record<string, string>>;
  readonly diagnostics: readonly PreviewDiagnostic[];
}

/** Reads tags as the platform does, which only knows some values before it runs Terraform. */
export function tagValues(blocks: readonly EvaluatedBlock[]): TagValues {
  const all = blocks.map(tagsOf);
  return {
    tags: Object.assign({}, ...all.map(({ tags }) => tags)) as Readonly<Record<string, string>>,
    diagnostics: all.flatMap(({ diagnostics }) => diagnostics),
  };
}

function tagsOf({ values, unknown, isSet }: EvaluatedBlock): TagValues {
  const given = values["tags"];
  if (!isSet("tags")) return { tags: {}, diagnostics: [] };
  const kind = values["tags_type"];
  if (!isObject(given) || kind === "map of string" || unknown["tags"] === true) {
    const type = typeof kind === "string" && kind !== "" ? kind : "dynamic";
    const detail = `"tags" attribute must be an 'Object', but got ${quoted(type)}`;
    return { tags: {}, diagnostics: [error('Incorrect type for "tags" attribute', detail)] };
  }
  const unknowns = objectOf(unknown["tags"]);
  const tags: Record<string, string> = {};
  const diagnostics: PreviewDiagnostic[] = [];
  for (const key of new Set([...Object.keys(objectOf(given)), ...Object.keys(unknowns)])) {
    const value = platformValue(objectOf(given)[key]);
    const where = `in the tag ${quoted(key)}`;
    if ((unknowns[key] ?? false) !== false) {
      const what = "it likely refers to a variable that is not set or has no default";
      diagnostics.push(error(`Tag value is not known, ${what}.`, where));
    } else if (value.kind === "known") tags[key] = value.text;
    else if (value.kind === "other") {
      diagnostics.push(error("Tag value is not valid, it must be a non-null string value.", where));
    }
  }
  return { tags, diagnostics };
}

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
