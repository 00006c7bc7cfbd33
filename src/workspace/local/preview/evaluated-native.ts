import { blocksIn, type ConfigurationBlock } from "../../../hcl/configuration-blocks";
import { codeOf } from "../../../hcl/template-sequences";
import { type UnknownAddresses, withoutReferences } from "./unknown-references";

/**
 * Returns the addresses of resources and data sources in a file in native syntax, such as
 * `data.workspace_parameter.cores`.
 */
export function addressesOfNative(file: string): readonly string[] {
  return blocksIn(file).flatMap(({ type, labels: [of = "", name = ""] }) => {
    if (type === "data") return [`data.${of}.${name}`];
    return type === "resource" ? [`${of}.${name}`] : [];
  });
}

/**
 * Returns the parts of a file in native syntax that the platform evaluates, without references to unknown
 * values.
 */
export function evaluatedNative(
  file: string,
  isRoot: boolean,
  isEvaluated: (type: string, name: string) => boolean,
  addresses: UnknownAddresses,
): string {
  const isLeftOut = ({ type, labels: [of = "", name = ""], isClosed }: ConfigurationBlock) =>
    // Terraform reports a block that is not closed, or that it does not know.
    isClosed &&
    (leftOut.has(type) ||
      (type === "output" && isRoot) ||
      (type === "data" && !isEvaluated(of, name)));
  let result = "";
  let from = 0;
  for (const block of blocksIn(file)) {
    result += file.slice(from, block.start);
    from = block.end;
    if (isLeftOut(block)) continue;
    const text = file.slice(block.start, block.end);
    const body = block.type === "data" || block.type === "module" ? withoutOrder(text) : text;
    result += withoutReferences(body, "expression", addresses);
  }
  return result + file.slice(from);
}

const leftOut = new Set([
  "terraform",
  "provider",
  "resource",
  "ephemeral",
  "action",
  "check",
  "import",
  "moved",
  "removed",
]);

const brackets = /[{}[\]()]/g;

/** Removes the arguments that only matter to a run of Terraform: its order, and its providers. */
function withoutOrder(block: string): string {
  const code = codeOf(block, "expression");
  let result = "";
  let from = 0;
  for (const { 0: found, index } of code.matchAll(/\b(?:depends_on|providers?)\s*=(?!=)\s*/g)) {
    if (depthAt(code, index) !== 1) continue;
    result += block.slice(from, index);
    from = endOfValue(code, index + found.length);
  }
  return result + block.slice(from);
}

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
