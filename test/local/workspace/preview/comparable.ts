import { isObject } from "../../../../src/core/json/plain-json";
import type { Preview, PreviewDiagnostic } from "../../../../src/local/workspace/preview/preview";

/** A preview in a form that ours and the platform's have in common. */
export interface Comparable {
  readonly parameters: readonly unknown[];
  readonly presets: readonly unknown[];
  readonly tags: readonly unknown[];
  /** The keys of tags that cannot be used. */
  readonly badTags: readonly string[];
  /** Problems of the template as a whole. */
  readonly problems: readonly string[];
}

const inOrder = <Value>(values: readonly Value[]): readonly Value[] =>
  [...values].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));

const text = ({ summary, detail }: Pick<PreviewDiagnostic, "summary" | "detail">): string =>
  `${summary} | ${detail.trimEnd()}`;

const badTag = /^Tag value is not [\s\S]* \| in the tag "(.*)"$/;

/** What this package previews. */
export function oursComparable(preview: Preview): Comparable {
  const problems = preview.diagnostics.map(text);
  return {
    parameters: preview.parameters.map((parameter) => [
      parameter.name,
      parameter.displayName,
      parameter.description,
      parameter.type,
      parameter.formType,
      parameter.mutable,
      parameter.ephemeral,
      parameter.required,
      parameter.order,
      parameter.icon,
      parameter.default ?? null,
      parameter.value ?? null,
      inOrder(Object.entries(parameter.styling)),
      parameter.options.map((each) => [each.name, each.value ?? null, each.description, each.icon]),
      parameter.validations.map(({ min, max, regex, monotonic, error }) => [
        min ?? null,
        max ?? null,
        regex ?? null,
        monotonic ?? null,
        error,
      ]),
      inOrder(parameter.diagnostics.map(text)),
    ]),
    presets: inOrder(
      preview.presets.map(({ name, isDefault, parameters, diagnostics }) => [
        name,
        isDefault,
        inOrder(Object.entries(parameters)),
        // What we only advise is not in the platform's preview.
        inOrder(diagnostics.filter(({ severity }) => severity === "error").map(text)),
      ]),
    ),
    tags: inOrder(Object.entries(preview.tags)),
    badTags: inOrder(problems.flatMap((each) => badTag.exec(each)?.[1] ?? [])),
    problems: inOrder(problems.filter((each) => !badTag.test(each))),
  };
}

type Json = Readonly<Record<string, unknown>>;

const listOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter((each) => isObject(each)) : [];

const textsOf = (value: unknown): readonly string[] =>
  listOf(value).map(({ summary, detail }) =>
    text({ summary: String(summary), detail: String(detail) }),
  );

/** A value with the flag whether it is known. */
const knownOf = (value: unknown): unknown =>
  isObject(value) && value["valid"] === true ? value["value"] : null;

const stylingNames: Readonly<Record<string, string>> = { mask_input: "maskInput" };

/** What coder's library previews, in its JSON. */
export function coderComparable(answer: Json): Comparable {
  const parameters = listOf(answer["parameters"]);
  const ofParameters = new Set(parameters.flatMap((each) => textsOf(each["diagnostics"])));
  return {
    parameters: parameters.map((parameter) => [
      ...["name", "display_name", "description", "type", "form_type", "mutable", "ephemeral"].map(
        (name) => parameter[name],
      ),
      parameter["required"],
      parameter["order"],
      parameter["icon"],
      knownOf(parameter["default_value"]),
      knownOf(parameter["value"]),
      inOrder(
        Object.entries(isObject(parameter["styling"]) ? parameter["styling"] : {}).map(
          ([name, value]) => [stylingNames[name] ?? name, value],
        ),
      ),
      listOf(parameter["options"]).map((each) => [
        each["name"],
        knownOf(each["value"]),
        each["description"],
        each["icon"],
      ]),
      listOf(parameter["validations"]).map((each) =>
        ["min", "max", "regex", "monotonic", "error"].map((name) => each[`validation_${name}`]),
      ),
      inOrder(textsOf(parameter["diagnostics"])),
    ]),
    presets: inOrder(
      listOf(answer["presets"]).map((preset) => [
        preset["name"],
        preset["default"],
        inOrder(Object.entries(isObject(preset["parameters"]) ? preset["parameters"] : {})),
        inOrder(textsOf(preset["diagnostics"])),
      ]),
    ),
    tags: inOrder(Object.entries(isObject(answer["tags"]) ? answer["tags"] : {})),
    badTags: inOrder(
      Array.isArray(answer["unusableTags"]) ? answer["unusableTags"].map(String) : [],
    ),
    // The library repeats the problems of parameters.
    problems: inOrder(textsOf(answer["diagnostics"]).filter((each) => !ofParameters.has(each))),
  };
}
