import { isObject } from "../json/plain-json";

/** Returns the template whose value is a text. */
export const escapedTemplate = (text: string): string => text.replaceAll(/[$%](?=\{)/g, "$&$&");

/** Escapes the strings and keys of a value, so that where each string is a template they are read literally. */
export function withEscapedTemplates(value: unknown): unknown {
  if (typeof value === "string") return escapedTemplate(value);
  if (Array.isArray(value)) return value.map(withEscapedTemplates);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      escapedTemplate(name),
      withEscapedTemplates(each),
    ]),
  );
}
