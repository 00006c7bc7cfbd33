/** An attribute of an element, as an expression names it: `workspace_agent.main[0].token`. */
export interface AttributeTraversal {
  /** The element: `workspace_agent.main`, `data.workspace_secret.key`, `local.l`. */
  readonly address: string;
  /** The first name below the element; undefined for the whole of it, where nothing else is said. */
  readonly attribute: string | undefined;
}

/**
 * The attributes that a text hands on as they are. What `nonsensitive` and `issensitive` take is left
 * out: nothing secret is in their results, by the will of who wrote them.
 */
export function attributesInText(text: string): AttributeTraversal[] {
  if (!text.includes("${") && !text.includes("%{")) return [];
  const scan = new AttributeScan(text);
  scan.template(undefined, false);
  return scan.found;
}

const traversal =
  /(?<![\w.\])])((?:data\.)?[A-Za-z_][\w-]*\.[A-Za-z_][\w-]*)(?:\[[^\]]*\]|\.\*|\.\d+)*(?:\.([A-Za-z_][\w-]*))?/g;

const unveils = /(?<![\w-])(?:nonsensitive|issensitive)\s*$/;

class AttributeScan {
  readonly found: AttributeTraversal[] = [];
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads letters up to a quote or the end. */
  template(end: '"' | undefined, isUnveiled: boolean): void {
    while (this.#at < this.#text.length) {
      const letter = this.#text[this.#at];
      if (letter === end) {
        this.#at += 1;
        return;
      }
      const next = this.#text[this.#at + 1];
      if ((letter === "$" || letter === "%") && next === "{") {
        this.#at += 2;
        this.#expression(isUnveiled);
      } else if (letter === "\\" && end !== undefined) this.#at += 2;
      else if (this.#text.startsWith("$${", this.#at) || this.#text.startsWith("%%{", this.#at)) {
        this.#at += 3;
      } else this.#at += 1;
    }
  }

  /** Reads an expression up to the brace that closes it, or to the end. */
  #expression(isUnveiled: boolean): void {
    let code = "";
    let braces = 0;
    let parentheses = 0;
    // The parenthesis that an unveiling function has opened.
    let unveiling: number | undefined;
    while (this.#at < this.#text.length) {
      const letter = this.#text[this.#at] ?? "";
      this.#at += 1;
      const isHidden = isUnveiled || unveiling !== undefined;
      if (letter === '"') {
        this.template('"', isHidden);
        code += '""';
        continue;
      }
      if (letter === "(") {
        parentheses += 1;
        if (!isHidden && unveils.test(code)) unveiling = parentheses;
      } else if (letter === ")") {
        if (unveiling === parentheses) unveiling = undefined;
        parentheses -= 1;
      } else if (letter === "{") braces += 1;
      else if (letter === "}") {
        if (braces === 0) break;
        braces -= 1;
      }
      code += isHidden ? " " : letter;
    }
    for (const [whole, address = "", attribute] of code.matchAll(traversal)) {
      // What an expression takes of a whole element, as `[for a in x.y : a.id]` does, is not seen.
      if (attribute === undefined && whole !== code.trim()) continue;
      this.found.push({ address, attribute });
    }
  }
}
