import { isObject } from "../json/plain-json";

/** Escapes the strings and keys of a value, so that where each string is a template they are read literally. */
export function withEscapedTemplates(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(/[$%](?=\{)/g, "$&$&");
  if (Array.isArray(value)) return value.map(withEscapedTemplates);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      String(withEscapedTemplates(name)),
      withEscapedTemplates(each),
    ]),
  );
}
