import { sequencesIn, type Expression } from "../../hcl/template-sequences";

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
  const found: AttributeTraversal[] = [];
  const shown = new Map<Expression, string>();
  // Those in strings come after the expressions whose strings they are in.
  for (const expression of sequencesIn(text)) {
    const code = shownCode(expression, shown);
    shown.set(expression, code);
    for (const [whole, address = "", attribute] of code.matchAll(traversal)) {
      // What an expression takes of a whole element, as `[for a in x.y : a.id]` does, is not seen.
      if (attribute === undefined && whole !== code.trim()) continue;
      found.push({ address, attribute });
    }
  }
  return found;
}

const traversal =
  /(?<![\w.\])])((?:data\.)?[A-Za-z_][\w-]*\.[A-Za-z_][\w-]*)(?:\[[^\]]*\]|\.\*|\.\d+)*(?:\.([A-Za-z_][\w-]*))?/g;

const parenthesis = /(?:(?<![\w-])(nonsensitive|issensitive)\s*)?[()]/g;

/** The code of an expression, in which what an unveiling function takes is blank. */
function shownCode({ code, within }: Expression, shown: ReadonlyMap<Expression, string>): string {
  if (within !== undefined && shown.get(within.expression)?.[within.at] === " ") return "";
  let result = "";
  let from = 0;
  let depth = 0;
  // How deep an unveiling function was called whose parenthesis is open.
  let unveiling: number | undefined;
  for (const { 0: matched, 1: unveils, index } of code.matchAll(parenthesis)) {
    const end = index + matched.length;
    if (matched.endsWith(")")) {
      depth -= 1;
      if (unveiling !== depth) continue;
      unveiling = undefined;
      result += " ".repeat(end - from);
      from = end;
    } else {
      if (unveiling === undefined && unveils !== undefined) {
        unveiling = depth;
        result += code.slice(from, end);
        from = end;
      }
      depth += 1;
    }
  }
  const rest = code.slice(from);
  return result + (unveiling === undefined ? rest : " ".repeat(rest.length));
}
