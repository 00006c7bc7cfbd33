import { codeOf } from "../../../hcl/template-sequences";

/** Finds arguments of a block itself, by a pattern of their names: where each starts and ends, and its value. */
export function* argumentsOf(
  block: string,
  names: RegExp,
): Generator<readonly [start: number, end: number, valueStart: number]> {
  const code = codeOf(block, "expression");
  const named = RegExp(String.raw`${names.source}\s*=(?!=)`, "g");
  for (const { 0: found, index } of code.matchAll(named)) {
    // The code has spaces in place of strings.
    const afterSign = index + found.length;
    const valueStart = afterSign + (/^\s*/.exec(block.slice(afterSign))?.[0].length ?? 0);
    if (depthAt(code, index) === 1) yield [index, endOfValue(code, valueStart), valueStart];
  }
}

const brackets = /[{}[\]()]/g;

function depthAt(code: string, index: number): number {
  let depth = 0;
  for (const [bracket] of code.slice(0, index).matchAll(brackets)) {
    depth += "{[(".includes(bracket) ? 1 : -1;
  }
  return depth;
}

function endOfValue(code: string, start: number): number {
  let depth = 0;
  for (let at = start; at < code.length; at += 1) {
    const each = code.charAt(at);
    if ("{[(".includes(each)) depth += 1;
    else if ("}])".includes(each)) {
      if (depth === 0) return at;
      depth -= 1;
    } else if (each === "\n" && depth === 0) return at;
  }
  return code.length;
}
