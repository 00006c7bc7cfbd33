import { isObject } from "../../core/json/plain-json";
import { memberName, Placeholder, valueText } from "./masked-value";

/** Formats a value, on one line if it fits, otherwise with a line for each of its members. */
export function valueLines(value: unknown, width: number): readonly string[] {
  const text = valueText(value);
  if (text.length <= width || value instanceof Placeholder) return [text];
  if (Array.isArray(value)) {
    return ["[", ...value.flatMap((each) => member("", each, width)), "]"];
  }
  if (!isObject(value)) return [text];
  const members = Object.entries(value).filter(([, each]) => each !== null);
  return [
    "{",
    ...members.flatMap(([name, each]) => member(`${memberName(name)} = `, each, width)),
    "}",
  ];
}

function member(name: string, value: unknown, width: number): readonly string[] {
  const lines = valueLines(value, width - name.length - 3);
  return lines.map((line, at) => {
    const comma = at === lines.length - 1 ? "," : "";
    return `  ${at === 0 ? name : ""}${line}${comma}`;
  });
}

/** Joins lines so that the last one of the first part and the first one of the second part share a line. */
export const joinedLines = (first: readonly string[], second: readonly string[]): string[] => [
  ...first.slice(0, -1),
  `${first.at(-1) ?? ""}${second[0] ?? ""}`,
  ...second.slice(1),
];
