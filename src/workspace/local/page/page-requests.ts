import { readField, readTextField } from "../../../local-service/read-field";
import { HttpFailure } from "../../../local-service/http-failure";
import { isObject } from "../../../json/is-object";
import type { PreviewRequest } from "../preview/preview";
import type { PageBuildRequest } from "./page-builds";
import { pageActions, type SecretReference } from "./page-data";

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
    preset: optionalText(body, "preset"),
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
