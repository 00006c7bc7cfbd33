import { objectOf } from "../terraform/json-value";
import type { EvaluatedBlock } from "./evaluated-block";
import { type ParameterField, requiredText } from "./parameter-field";
import { knownText, platformValue, quoted, textOf } from "./platform-value";
import type { PreviewDiagnostic, PreviewedPreset } from "./preview";
import { valueProblems } from "./value-rules";

/** Reads the presets as the platform does, which checks their values against the parameters. */
export function presetChoices(
  blocks: readonly EvaluatedBlock[],
  fields: readonly ParameterField[],
): readonly PreviewedPreset[] {
  const presets: PreviewedPreset[] = [];
  for (const block of blocks) {
    const name = requiredText(block, "name");
    const isDefault = block.values["default"] === true;
    const first = presets.find((preset) => preset.isDefault);
    const parameters = Object.fromEntries(
      Object.entries(objectOf(block.values["parameters"])).flatMap(([key, value]) => {
        const text = knownText(platformValue(value));
        return text === undefined ? [] : [[key, text] as const];
      }),
    );
    presets.push({
      name: "text" in name ? name.text : "",
      description: textOf(block, "description"),
      icon: textOf(block, "icon"),
      isDefault,
      parameters,
      diagnostics: [
        ...("problem" in name ? [name.problem] : []),
        ...(isDefault && first !== undefined
          ? [
              error(
                "Multiple default presets",
                `Only one preset can be marked as default. ${quoted(first.name)} is already marked as default`,
              ),
            ]
          : []),
        ...Object.entries(parameters).flatMap(([key, value]) => {
          const field = fields.find(({ parameter }) => parameter.name === key);
          if (field !== undefined) return valueProblems(field.checked, value);
          const detail = `Preset parameter ${quoted(key)} is not defined by the template.`;
          return [error("Undefined Parameter", detail)];
        }),
      ],
    });
  }
  return presets;
}

function error(summary: string, detail: string): PreviewDiagnostic {
  return { severity: "error", summary, detail };
}
