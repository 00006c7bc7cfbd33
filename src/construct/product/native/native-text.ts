import { templates } from "../../token/expression";

/**
 * Converts a string of Terraform's JSON to native syntax: quoted, with its templates unchanged.
 *
 * In the decoded JSON string a backslash is an ordinary character. Template escapes (`$${`, `%%{`) are the
 * same in both.
 *
 * @see https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md#template-expressions
 */
export function nativeText(text: string): string {
  let result = "";
  let from = 0;
  let isTrimmed = false;
  for (const { at, text: template, inside } of templates(text)) {
    const before = { isTrimmed, isTrimmedAfter: inside?.startsWith("~") === true };
    result += literals(text.slice(from, at), before) + template;
    from = at + template.length;
    isTrimmed = inside?.endsWith("~") === true;
  }
  return `"${result}${literals(text.slice(from), { isTrimmed, isTrimmedAfter: false })}"`;
}

/** Tells whether the templates before and after a literal part remove the spaces next to them (`~`). */
interface Trimming {
  readonly isTrimmed: boolean;
  readonly isTrimmedAfter: boolean;
}

/**
 * In JSON, a `~` removes the spaces of the nearest line only, in native syntax those of all lines. An empty
 * interpolation protects the other lines.
 */
function literals(text: string, { isTrimmed, isTrimmedAfter }: Trimming): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const [first = "", second = ""] = lines;
  const before = isTrimmed && first.trim() === "" && /^\s/.test(second) ? 1 : 0;
  const after = lines.length - (isTrimmedAfter && lines.at(-1)?.trim() === "" ? 1 : 0);
  if (before >= after) return literal(text);
  return [lines.slice(0, before), lines.slice(before, after), lines.slice(after)]
    .filter((part) => part.length > 0)
    .map((part) => literal(part.join("")))
    .join('${""}');
}

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

function literal(text: string): string {
  // eslint-disable-next-line no-control-regex -- editors do not show them
  return text.replaceAll(/["\\\u0000-\u001f\u007f]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, "0");
    return escapes[character] ?? `\\u${code}`;
  });
}
