import type { Preview, PreviewDiagnostic } from "./preview";

/** The first version of coder that evaluates templates itself. */
const since = "coder 2.24";

/**
 * Returns the reasons for which the platform refuses the template when it is pushed. Values that users still
 * have to enter do not count.
 */
export function templateRefusals({ diagnostics, parameters, presets }: Preview): readonly string[] {
  return [
    ...errorsOf(diagnostics, undefined),
    ...parameters.flatMap((parameter) =>
      errorsOf(parameter.diagnostics.filter(isNotMissing), `parameter "${parameter.name}"`),
    ),
    ...presets.flatMap((preset) => errorsOf(preset.diagnostics, `preset "${preset.name}"`)),
  ];
}

/**
 * Returns the reasons for which the platform refuses a build: the template, or a value that is missing or
 * wrong.
 */
export function valueRefusals({ diagnostics, parameters }: Preview): readonly string[] {
  return [
    ...errorsOf(diagnostics, undefined),
    ...parameters.flatMap((parameter) =>
      errorsOf(parameter.diagnostics, `parameter "${parameter.name}"`),
    ),
  ];
}

/** Returns the platform's warnings. */
export function previewWarnings({ diagnostics, parameters }: Preview): readonly string[] {
  const warnings = (all: readonly PreviewDiagnostic[]) =>
    all.filter(({ severity }) => severity === "warning");
  return [
    ...warnings(diagnostics).map((warning) => text(warning, undefined)),
    ...parameters.flatMap((parameter) =>
      warnings(parameter.diagnostics).map((each) => text(each, `parameter "${parameter.name}"`)),
    ),
  ];
}

/** The platform's message for a required parameter without a value, which is no mistake of the template. */
const missingValue = "Required parameter not provided";

const isNotMissing = ({ summary }: PreviewDiagnostic): boolean => summary !== missingValue;

function errorsOf(
  diagnostics: readonly PreviewDiagnostic[],
  where: string | undefined,
): readonly string[] {
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map((diagnostic) => `${text(diagnostic, where)} (as of ${since})`);
}

/** Formats a diagnostic as the platform joins its parts. */
function text({ summary, detail }: PreviewDiagnostic, where: string | undefined): string {
  const said = detail === "" ? summary : `${summary}; ${detail}`;
  return where === undefined ? said : `${where}: ${said}`;
}
