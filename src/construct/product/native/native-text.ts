import { templates } from "../../token/expression";

/**
 * A text of Terraform's JSON in native syntax: quoted, with its templates as they are.
 *
 * In JSON a backslash stands for itself, and what is escaped there is escaped in native syntax too
 * (`$${`, `%%{`).
 */
export function nativeText(text: string): string {
  let result = "";
  let from = 0;
  for (const { at, text: template } of templates(text)) {
    result += literal(text.slice(from, at)) + template;
    from = at + template.length;
  }
  return `"${result}${literal(text.slice(from))}"`;
}

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

function literal(text: string): string {
  // eslint-disable-next-line no-control-regex -- an editor would show nothing of them
  return text.replaceAll(/["\\\u0000-\u001f\u007f]/g, (letter) => {
    const code = letter.charCodeAt(0).toString(16).padStart(4, "0");
    return escapes[letter] ?? `\\u${code}`;
  });
}
