import { ApiError } from "./api-error";

/**
 * One segment of a resource name, as a regular expression. Includes legacy projects of a domain
 * ("example.com:web"), but no characters with a meaning in URLs.
 */
export const segment = "[A-Za-z0-9](?:[A-Za-z0-9._:~-]*[A-Za-z0-9])?";

const parentPattern = new RegExp(`^projects/${segment}/locations/${segment}$`);
const operationPattern = new RegExp(
  `^projects/${segment}/locations/${segment}/operations/[A-Za-z0-9][A-Za-z0-9._:~-]*$`,
);

/** Formats a parent name as `projects/P/locations/L`. */
export function formatParent(name: {
  readonly project: string;
  readonly location: string;
}): string {
  return `projects/${name.project}/locations/${name.location}`;
}

/** Checks whether a string has the form `projects/P/locations/L`. */
export function isParent(name: string): boolean {
  return parentPattern.test(name);
}

/** Validates an operation name from the server before it becomes part of a URL. */
export function isOperationName(name: string): boolean {
  return name.length <= 1024 && operationPattern.test(name);
}

/**
 * Validates a name before it becomes part of a URL, and percent-encodes its segments.
 *
 * @throws ApiError `SETTINGS` when the name is invalid
 */
export function encodeName(name: string, isName: (name: string) => boolean): string {
  if (isName(name)) return name.split("/").map(encodeURIComponent).join("/");
  const message = `${JSON.stringify(name)} is not a valid resource name`;
  throw new ApiError({ code: "SETTINGS", message });
}
