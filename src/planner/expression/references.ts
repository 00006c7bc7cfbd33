import { chainOf, type Expression, type Link, partsOf, splatElement } from "./syntax";

/** What an expression refers to: a variable of the scope, and the names that follow it. */
export interface Reference {
  readonly root: string;
  /** The attributes and constant keys after the root, as far as they are constant. */
  readonly steps: readonly (string | number)[];
  /** All that follows the root. */
  readonly links: readonly Link[];
}

/** Returns everything that an expression refers to, without the variables of its own `for` expressions. */
export function referencesIn(expression: Expression): readonly Reference[] {
  const found: Reference[] = [];
  collect(expression, new Set([splatElement]), found);
  return found;
}

function collect(expression: Expression, bound: ReadonlySet<string>, found: Reference[]): void {
  const { start, links } = chainOf(expression);
  if (start.kind === "variable") {
    if (!bound.has(start.name)) found.push({ root: start.name, steps: stepsOf(links), links });
  } else if (start.kind === "for") {
    const { collection, keyName, valueName, key, value, condition } = start;
    collect(collection, bound, found);
    const inner = new Set([...bound, valueName, ...(keyName === undefined ? [] : [keyName])]);
    for (const part of [key, value, condition]) if (part !== undefined) collect(part, inner, found);
  } else {
    for (const part of partsOf(start)) collect(part, bound, found);
  }
  for (const link of links) {
    if (link.kind === "index") collect(link.key, bound, found);
    if (link.kind === "splat") collect(link.each, bound, found);
    if (link.kind === "binary") collect(link.right, bound, found);
  }
}

/** The names and constant keys at the beginning of a chain. */
function stepsOf(links: readonly Link[]): readonly (string | number)[] {
  const steps: (string | number)[] = [];
  for (const link of links) {
    const step = link.kind === "attribute" ? link.name : constantKey(link);
    if (typeof step !== "string" && typeof step !== "number") break;
    steps.push(step);
  }
  return steps;
}

const constantKey = (link: Link): unknown =>
  link.kind === "index" && link.key.kind === "literal" ? link.key.value.content : undefined;
