import { readField, readTextField } from "../../service/request";
import { noPreset } from "../state/build-request";
import { HttpFailure } from "../../service/answer";
import { isObject } from "../../../core/json/plain-json";
import type { PreviewRequest } from "../preview/preview";
import type { PageBuildRequest } from "./page-builds";
import type { SecretReference } from "../view/seen";
import { pageActions } from "./page-data";
import { knownDefinition } from "../../../core/workspace/parameter/known-definition";
import { valueProblem } from "../../../core/workspace/parameter/value-problem";

type Values = Readonly<Record<string, string>>;

/**
 * Reads the request for a build from JSON.
 *
 * @throws HttpFailure (400)
 */
export function buildRequestOf(body: unknown): PageBuildRequest {
  const action = pageActions.find((one) => one === readField(body, "action"));
  if (action === undefined) throw new HttpFailure(400, "The action is unknown.");
  return {
    action,
    workspace: readTextField(body, "workspace"),
    owner: optionalText(body, "owner"),
    // The form has the values of the default preset, unless users have chosen another one.
    preset: optionalText(body, "preset") ?? noPreset,
    taskPrompt: optionalText(body, "taskPrompt"),
    parameters: values(body, "parameters"),
    externalAuth: values(body, "externalAuth"),
    secretEnv: values(body, "secretEnv"),
    secretFiles: values(body, "secretFiles"),
  };
}

/**
 * Reads the request for a preview from JSON.
 *
 * @throws HttpFailure (400)
 */
export function previewRequestOf(body: unknown): PreviewRequest {
  const name = optionalText(body, "owner");
  return {
    parameters: values(body, "parameters"),
    owner: name === undefined ? undefined : { name },
  };
}

/** Reads the name of the workspace that a form is for; undefined for a new one. */
export const workspaceOf = (body: unknown): string | undefined => optionalText(body, "workspace");

/** Reads a workspace's name and the location of a secret in it from JSON. */
export function secretOf(body: unknown): SecretReference & { readonly workspace: string } {
  const path = readField(body, "path");
  const steps: readonly unknown[] = Array.isArray(path) ? path : [];
  return {
    workspace: readTextField(body, "workspace"),
    address: readTextField(body, "address"),
    path: steps.filter((step) => typeof step === "string" || typeof step === "number"),
  };
}

/** Empty fields of the form are left out. */
function optionalText(body: unknown, name: string): string | undefined {
  const text = readTextField(body, name);
  return text === "" ? undefined : text;
}

function values(body: unknown, name: string): Values {
  const given = readField(body, name) ?? {};
  if (!isObject(given)) throw new HttpFailure(400, `${name} is not an object.`);
  const entries = Object.entries(given).map(([key, value]) => {
    if (typeof value === "string") return [key, value] as const;
    throw new HttpFailure(400, `${name}.${key} is not a string.`);
  });
  return Object.fromEntries(entries);
}

/**
 * Returns the reasons for which values of parameters are refused, in the words of the violated rules. Null
 * for a value that is valid or missing, or whose rules are not known.
 *
 * @param checks objects with `parameter`, a parameter of a preview, `value`, and `previous`, the value in the
 * last build
 */
export function valueChecks(checks: unknown): readonly (string | null)[] {
  const list: readonly unknown[] = Array.isArray(checks) ? checks : [];
  return list.map((check) => problemOf(check) ?? null);
}

function problemOf(check: unknown): string | undefined {
  const value = readField(check, "value");
  if (typeof value !== "string") return undefined;
  const parameter = (name: string) => readField(check, "parameter", name);
  const { defaultRules: rules } = knownDefinition(
    {
      type: parameter("type"),
      formType: parameter("formType"),
      options: parameter("options"),
      validation: parameter("validations"),
    },
    () => false,
  );
  const previous = readField(check, "previous");
  return rules === undefined
    ? undefined
    : valueProblem(rules, value, typeof previous === "string" ? { previous } : {})?.message;
}
