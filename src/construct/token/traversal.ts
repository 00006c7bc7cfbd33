/**
 * The first two names of what a text refers to (three for a data source): `ids_endpoint.edge` of
 * `${upper(ids_endpoint.edge[0].id)}`. Quoted texts count only where a template stands in them.
 *
 * A name may be one that Terraform does not look for in a stack, such as `each.key`.
 */
export function traversalsInText(text: string): string[] {
  if (!text.includes("${") && !text.includes("%{")) return [];
  const scan = new Scan(text);
  scan.template(undefined);
  return scan.found;
}

/** As {@link traversalsInText}, for a text that is an expression itself, as in `depends_on`. */
export function traversalsInExpression(expression: string): string[] {
  const scan = new Scan(expression);
  scan.expression(false);
  return scan.found;
}

/** Two names, three for a data source, where nothing before them makes them a part of something. */
const traversal = /(?<![\w.\])])(?:data\.)?[A-Za-z_][\w-]*\.[A-Za-z_][\w-]*/g;

class Scan {
  readonly found: string[] = [];
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads letters up to a quote or the end. */
  template(end: '"' | undefined): void {
    while (this.#at < this.#text.length) {
      const letter = this.#text[this.#at];
      const opens = (letter === "$" || letter === "%") && this.#text[this.#at + 1] === "{";
      if (letter === end) {
        this.#at += 1;
        return;
      }
      if (opens) {
        this.#at += 2;
        this.expression(true);
      } else if (letter === "\\" && end !== undefined) this.#at += 2;
      else if (this.#text.startsWith("$${", this.#at) || this.#text.startsWith("%%{", this.#at)) {
        this.#at += 3;
      } else this.#at += 1;
    }
  }

  /** Reads an expression up to the brace that closes it, or to the end. */
  expression(inBraces: boolean): void {
    let code = "";
    let depth = 0;
    while (this.#at < this.#text.length) {
      const letter = this.#text[this.#at] ?? "";
      this.#at += 1;
      if (letter === '"') {
        this.template('"');
        code += '""';
        continue;
      }
      if (letter === "{") depth += 1;
      if (letter === "}") {
        if (depth === 0 && inBraces) break;
        depth -= 1;
      }
      code += letter;
    }
    for (const [name] of code.matchAll(traversal)) this.found.push(name);
  }
}
