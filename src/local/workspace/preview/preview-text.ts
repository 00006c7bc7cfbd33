import { within } from "../../../core/failure/failure";
import { ownValue } from "../../../core/json/plain-json";
import { asSeen, type PlatformRuleName } from "../../../core/workspace/product/platform-versions";
import { isLocalPlatformError } from "../terraform/local-platform-error";
import { placeLines } from "../terraform/terraform-diagnostic";
import type {
  Preview,
  PreviewDiagnostic,
  PreviewedExternalAuth,
  PreviewedParameter,
} from "./preview";

export function previewText(preview: Preview): string {
  const { parameters, presets, tags, secrets, externalAuth, diagnostics } = preview;
  const lines = [
    ...section("Problems", diagnostics.flatMap(problem)),
    ...section("Parameters", parameters.flatMap(parameterLines)),
    ...section(
      "Presets",
      presets.flatMap((preset) => [
        presetText(preset.name, preset.isDefault, assignments(preset.parameters)),
        ...preset.diagnostics.flatMap(problem).map(indented),
      ]),
    ),
    ...section("Tags", assignments(tags)),
    ...section(
      "Secrets",
      secrets.map(({ env, file, helpMessage }) => joined(env ?? file ?? "", helpMessage)),
    ),
    ...section("External logins", externalAuth.map(loginText)),
  ];
  if (lines.length === 0) return "The template has no parameters, presets or tags.\n";
  // The first section does not need the line that separates it.
  return `${lines.slice(1).join("\n")}\n`;
}

function parameterLines(parameter: PreviewedParameter): readonly string[] {
  const { name, type, formType, value, mutable, ephemeral, required, options } = parameter;
  const facts = [
    `${type} as ${formType}`,
    ...(required ? ["required"] : []),
    ...(mutable ? [] : ["not mutable"]),
    ...(ephemeral ? ["ephemeral"] : []),
  ];
  const known = parameter.styling.maskInput === true ? "(masked)" : JSON.stringify(value);
  const shown = value === undefined ? "(no value)" : known;
  return [
    `${name} = ${shown} (${facts.join(", ")})`,
    ...options.map((option) => `  ${option.name}: ${option.value ?? "(not known)"}`),
    ...parameter.validations.map((validation) => {
      const rules = (["min", "max", "monotonic", "regex"] as const).flatMap((key) =>
        validation[key] === undefined ? [] : [`${key} ${validation[key]}`],
      );
      return `  validation: ${rules.join(", ")}`;
    }),
    ...parameter.diagnostics.flatMap(problem).map(indented),
  ];
}

function problem({ severity, summary, detail, place }: PreviewDiagnostic): readonly string[] {
  const [first = "", ...rest] = `${summary}${detail === "" ? "" : `; ${detail}`}`.split("\n");
  return [
    `${severity === "error" ? "Error" : "Warning"}: ${first}`,
    ...[...rest, ...placeLines(place)].map(indented),
  ];
}

const indented = (line: string): string => `  ${line}`;

const joined = (name: string, rest: string): string => (rest === "" ? name : `${name}: ${rest}`);

export const loginText = ({ id, optional }: PreviewedExternalAuth): string =>
  `${id}${optional ? " (optional)" : ""}`;

export const presetText = (name: string, isDefault: boolean, facts: readonly string[]): string =>
  joined(`${name}${isDefault ? " (default)" : ""}`, facts.join(", "));

export const assignments = (values: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(values).map(([key, value]) => `${key} = "${value}"`);

export function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", `${title}:`, ...lines.map(indented)];
}

/** Returns the reasons why the platform refuses a pushed template. Missing inputs of users are none. */
export function templateRefusals({ diagnostics, parameters, presets }: Preview): readonly string[] {
  return [
    ...errorsOf(diagnostics, undefined),
    ...parameters.flatMap((parameter) =>
      errorsOf(parameter.diagnostics.filter(isNotMissing), `parameter "${parameter.name}"`),
    ),
    ...presets.flatMap((preset) =>
      errorsOf(preset.diagnostics, `preset "${preset.name}"`, "presets"),
    ),
  ];
}

/** Returns the reasons why the platform refuses a build: the template, or a missing or wrong value. */
export function valueRefusals({ diagnostics, parameters }: Preview): readonly string[] {
  return [
    ...errorsOf(diagnostics, undefined),
    ...parameters.flatMap((parameter) =>
      errorsOf(parameter.diagnostics, `parameter "${parameter.name}"`),
    ),
  ];
}

/** Returns the secrets that the owner has not stored, with the option for each. They make a start fail. */
export function missingSecrets(
  { secrets, diagnostics }: Preview,
  env: Readonly<Record<string, string>> = {},
  files: Readonly<Record<string, string>> = {},
): readonly { readonly refusal: string; readonly option: string }[] {
  // The plan may have none of the secrets that are shown.
  if (diagnostics.some(({ summary }) => summary === unknownNumber)) return [];
  return secrets.flatMap(({ env: variable, file, helpMessage }) => {
    if ((variable ?? file) === undefined) return [];
    const [place, value, option] =
      variable === undefined
        ? [`file ${file ?? ""}`, ownValue(files, file ?? ""), `--secret-file ${file ?? ""}=…`]
        : [`environment variable ${variable}`, ownValue(env, variable), `--secret-env ${variable}`];
    if ((value ?? "") !== "") return [];
    const refusal = joined(`The owner must store a secret for the ${place} first`, helpMessage);
    return [{ refusal, option }];
  });
}

export function previewWarnings({ diagnostics, parameters, presets }: Preview): readonly string[] {
  const warnings = (all: readonly PreviewDiagnostic[], where?: string) =>
    all
      // A plan of the same template decides about what Terraform reports.
      .filter(({ severity, isTerraforms }) => severity === "warning" || isTerraforms === true)
      .map((warning) => text(warning, where));
  return [
    ...warnings(diagnostics),
    ...parameters.flatMap((each) => warnings(each.diagnostics, `parameter "${each.name}"`)),
    ...presets.flatMap((each) => warnings(each.diagnostics, `preset "${each.name}"`)),
  ];
}

/** Adds the evaluation before Terraform's run to its failure. */
export function withEvaluated(failure: unknown, preview: Preview): unknown {
  if (!isLocalPlatformError(failure, "TERRAFORM")) return failure;
  const evaluated = previewText(preview).trimEnd();
  return within(
    failure,
    `${failure.message}\n\nBefore this, the template was evaluated:\n${evaluated}`,
  );
}

/** The warning about a number of resources that only the plan knows. */
export const unknownNumber = "The number is not known before Terraform runs";

/** The platform's message for a required parameter without a value. The template is correct. */
const missingValue = "Required parameter not provided";

const isNotMissing = ({ summary }: PreviewDiagnostic): boolean => summary !== missingValue;

function errorsOf(
  diagnostics: readonly PreviewDiagnostic[],
  where: string | undefined,
  rule: PlatformRuleName = "previews",
): readonly string[] {
  return diagnostics
    .filter(({ severity, isTerraforms }) => severity === "error" && isTerraforms !== true)
    .map((diagnostic) => {
      // Only prebuilds need all values.
      const isMissing = rule === "presets" && diagnostic.summary.endsWith(missingValue);
      return `${text(diagnostic, where)} (${asSeen(isMissing ? "prebuiltPresets" : rule)})`;
    });
}

/** Formats a diagnostic as the platform joins its parts. */
function text({ summary, detail, place }: PreviewDiagnostic, where: string | undefined): string {
  const said = [detail === "" ? summary : `${summary}; ${detail}`, ...placeLines(place)].join("\n");
  return where === undefined ? said : `${where}: ${said}`;
}
