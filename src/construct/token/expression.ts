/** A `${…}` or `%{…}` in a text, as Terraform will read it. */
export interface Template {
  /** Where it begins. */
  readonly at: number;
  /** The template with its braces. */
  readonly text: string;
  /** What stands between the braces; undefined when they are not closed. */
  readonly inside: string | undefined;
}

/** The templates of a text that are not escaped (`$${…}`, `%%{…}`). */
export function* templates(text: string): Generator<Template> {
  let from = 0;
  for (;;) {
    const brace = text.indexOf("{", from);
    if (brace === -1) return;
    from = brace + 1;
    const sign = text[brace - 1];
    if ((sign !== "$" && sign !== "%") || text[brace - 2] === sign) continue;
    const end = closing(text, brace);
    if (end === undefined) {
      yield { at: brace - 1, text: text.slice(brace - 1), inside: undefined };
      return;
    }
    const [whole, inside] = [text.slice(brace - 1, end + 1), text.slice(brace + 1, end)];
    yield { at: brace - 1, text: whole, inside };
    from = end + 1;
  }
}

/** Where the brace that opens at `open` is closed; braces nest, and those in quotes do not count. */
function closing(text: string, open: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = open; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === "\\" && quoted) at += 1;
    else if (letter === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (letter === "{") depth += 1;
    else if (letter === "}") {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return undefined;
}

const keyword = /^(?:true|false|null)$/;

/** `HOME`, `1`, `@`, and the shell's `HOME:-/root`, `HOME%.txt`, `#HOME`: never an expression of Terraform. */
const shellWord = /^[#!]?(?:[A-Za-z_]\w*|\d+|[@*?$!-])(?:(?::?[-=+?]|##?|%%?|\/|\^|,).*)?$/s;

const directive = /^(?:if|else|endif|for|endfor)\b/;

/**
 * Whether a template is one that somebody wrote for Terraform (`${var.region}`, `${each.key}`,
 * `${upper("a")}`), as opposed to a text that happens to have the same signs (`${HOME}`).
 *
 * A single word is no reference in Terraform: every reference has a dot or an index.
 */
export function isExpression({ text, inside }: Template): boolean {
  if (inside === undefined) return false;
  const trimmed = inside.replace(/^~/, "").replace(/~$/, "").trim();
  if (text.startsWith("%")) return directive.test(trimmed);
  return trimmed !== "" && (keyword.test(trimmed) || !shellWord.test(trimmed));
}
