import { expressionsIn, sequencesIn, type Expression } from "../../hcl/template-sequences";

/**
 * Returns the first two names (three for a data source) of the elements that a string refers to:
 * `ids_endpoint.edge` in `${upper(ids_endpoint.edge[0].id)}`. Quoted strings count only inside their
 * templates.
 *
 * The result can contain names that are not addresses in a stack, such as `each.key`.
 */
export const traversalsInText = (text: string): string[] => traversalsOf(sequencesIn(text));

/** Like {@link traversalsInText}, for a string that is itself an expression, as in `depends_on`. */
export const traversalsInExpression = (expression: string): string[] =>
  traversalsOf(expressionsIn(expression));

const traversal = /(?<![\w.\])])(?:data\.)?[A-Za-z_][\w-]*\.[A-Za-z_][\w-]*/g;

const traversalsOf = (expressions: readonly Expression[]): string[] =>
  expressions.flatMap(({ code }) => [...code.matchAll(traversal)].map(([name]) => name));

/** An attribute of an element in an expression: `workspace_agent.main[0].token`. */
export interface AttributeTraversal {
  /** The element: `workspace_agent.main`, `data.workspace_secret.key`, `local.l`. */
  readonly address: string;
  /** The first name below the element; undefined if the expression is the whole element. */
  readonly attribute: string | undefined;
}

/**
 * Returns the attributes that a string passes on. Arguments of `nonsensitive` and `issensitive` are left out:
 * the user has declared that their results are not secret.
 */
export function attributesInText(text: string): AttributeTraversal[] {
  const found: AttributeTraversal[] = [];
  const shown = new Map<Expression, string>();
  // Expressions in a string come after the expression that contains the string.
  for (const expression of sequencesIn(text)) {
    const code = shownCode(expression, shown);
    shown.set(expression, code);
    for (const [whole, address = "", attribute] of code.matchAll(attributeTraversal)) {
      // Reads from a whole element, as in `[for a in x.y : a.id]`, are not detected.
      if (attribute === undefined && whole !== code.trim()) continue;
      found.push({ address, attribute });
    }
  }
  return found;
}

/** Returns every attribute and every whole element that a string reads, whatever it makes of it. */
export const attributesReadInText = (text: string): AttributeTraversal[] =>
  sequencesIn(text).flatMap(({ code }) =>
    [...code.matchAll(attributeTraversal)].map(([, address = "", attribute]) => ({
      address,
      attribute,
    })),
  );

const attributeTraversal =
  /(?<![\w.\])])((?:data\.)?[A-Za-z_][\w-]*\.[A-Za-z_][\w-]*)(?:\[[^\]]*\]|\.\*|\.\d+)*(?:\.([A-Za-z_][\w-]*))?/g;

const parenthesis = /(?:(?<![\w-])(nonsensitive|issensitive)\s*)?[()]/g;

/** Returns the code of an expression with the arguments of unveiling functions blanked. */
function shownCode({ code, within }: Expression, shown: ReadonlyMap<Expression, string>): string {
  if (within !== undefined && shown.get(within.expression)?.[within.at] === " ") return "";
  let result = "";
  let from = 0;
  let depth = 0;
  // The depth of the open call of an unveiling function.
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
