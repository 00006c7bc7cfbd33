import { ApiError } from "./api-error";

/**
 * One part of a resource's name, as a regular expression: also legacy projects of a domain
 * ("example.com:web"); nothing that a URL would give a meaning.
 */
export const segment = "[A-Za-z0-9](?:[A-Za-z0-9._:~-]*[A-Za-z0-9])?";

const parentPattern = new RegExp(`^projects/${segment}/locations/${segment}$`);
const operationPattern = new RegExp(
  `^projects/${segment}/locations/${segment}/operations/[A-Za-z0-9][A-Za-z0-9._:~-]*$`,
);

/** `projects/P/locations/L` */
export function formatParent(name: {
  readonly project: string;
  readonly location: string;
}): string {
  return `projects/${name.project}/locations/${name.location}`;
}

/** Whether a text is `projects/P/locations/L`. */
export function isParent(text: string): boolean {
  return parentPattern.test(text);
}

/** Guards a name that the server sent before it becomes part of a URL. */
export function isOperationName(text: string): boolean {
  return text.length <= 1024 && operationPattern.test(text);
}

/**
 * Checks a name before it becomes part of a URL, and percent-encodes its segments.
 *
 * @throws ApiError `SETTINGS` when it is no such name
 */
export function encodeName(name: string, isName: (text: string) => boolean): string {
  if (isName(name)) return name.split("/").map(encodeURIComponent).join("/");
  const message = `${JSON.stringify(name)} is not a name of the service`;
  throw new ApiError({ code: "SETTINGS", message });
}
