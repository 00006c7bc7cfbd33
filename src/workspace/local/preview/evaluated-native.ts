import { blocksIn, type ConfigurationBlock } from "../../../hcl/configuration-blocks";
import { argumentsOf } from "./block-arguments";
import { isParameter, withFirstReading } from "./first-reading";
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
 *
 * @param counted the names of the parameters with a `count`
 */
export function evaluatedNative(
  file: string,
  isRoot: boolean,
  isEvaluated: (type: string, name: string) => boolean,
  addresses: UnknownAddresses,
  counted: ReadonlySet<string>,
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
    const ordered = block.type === "data" || block.type === "module" ? withoutOrder(text) : text;
    const body = isParameter(block) ? withFirstReading(ordered, counted) : ordered;
    result += (block.type === "data" ? byUse(body) : [{ text: body, countsMachines: true }])
      .map(({ text: part, countsMachines }) =>
        withoutReferences(part, { kind: "expression", countsMachines }, addresses),
      )
      .join("");
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

/** Splits a block into the arguments that decide how often it exists, and the rest. */
function byUse(
  block: string,
): readonly { readonly text: string; readonly countsMachines: boolean }[] {
  const parts = [];
  let from = 0;
  for (const [start, end] of argumentsOf(block, /\b(?:count|for_each)/)) {
    parts.push({ text: block.slice(from, start), countsMachines: false });
    parts.push({ text: block.slice(start, end), countsMachines: true });
    from = end;
  }
  return [...parts, { text: block.slice(from), countsMachines: false }];
}

/** Removes the arguments that only matter to a run of Terraform: its order, and its providers. */
function withoutOrder(block: string): string {
  let result = "";
  let from = 0;
  for (const [start, end] of argumentsOf(block, /\b(?:depends_on|providers?)/)) {
    result += block.slice(from, start);
    from = end;
  }
  return result + block.slice(from);
}
