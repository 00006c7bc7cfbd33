import { sequencesIn } from "../../hcl/template-sequences";

/** A `${…}` or `%{…}` in a string, as Terraform will read it. */
interface Template {
  readonly at: number;
  readonly text: string;
  /** The content between the braces; undefined if they are not closed. */
  readonly inside: string | undefined;
}

/** Yields the templates of a string that are not escaped (`$${…}`, `%%{…}`), without nested ones. */
export function* templates(text: string): Generator<Template> {
  for (const { start: at, end, isClosed, within } of sequencesIn(text)) {
    if (within !== undefined) continue;
    const inside = isClosed ? text.slice(at + 2, end - 1) : undefined;
    yield { at, text: text.slice(at, end), inside };
  }
}

const keyword = /^(?:true|false|null)$/;

/** `HOME`, `1`, `@`, and the shell's `HOME:-/root`, `HOME%.txt`, `#HOME`: never a Terraform expression. */
const shellWord = /^[#!]?(?:[A-Za-z_]\w*|\d+|[@*?$!-])(?:(?::?[-=+?]|##?|%%?|\/|\^|,).*)?$/s;

const directive = /^(?:if|else|endif|for|endfor)\b/;

/**
 * Checks whether a template is meant for Terraform (`${var.region}`, `${each.key}`, `${upper("a")}`), and not
 * for a shell (`${HOME}`).
 *
 * A single name is never a reference in Terraform: every reference has a dot or an index.
 */
export function isExpression({ text, inside }: Template): boolean {
  if (inside === undefined) return false;
  const trimmed = inside.replace(/^~/, "").replace(/~$/, "").trim();
  if (text.startsWith("%")) return directive.test(trimmed);
  return trimmed !== "" && (keyword.test(trimmed) || !shellWord.test(trimmed));
}
