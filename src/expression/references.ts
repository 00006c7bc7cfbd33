import { type Expression, partsOf, splatElement } from "./syntax";

/** What an expression refers to: a variable of the scope, and the names that follow it. */
export interface Reference {
  readonly root: string;
  /** The attributes and constant keys after the root, as far as they are constant. */
  readonly steps: readonly (string | number)[];
}

/** Returns everything that an expression refers to, without the variables of its own `for` expressions. */
export function referencesIn(expression: Expression): readonly Reference[] {
  const found: Reference[] = [];
  collect(expression, new Set([splatElement]), found);
  return found;
}

function collect(expression: Expression, bound: ReadonlySet<string>, found: Reference[]): void {
  const chain = chainOf(expression);
  if (chain !== undefined) {
    if (!bound.has(chain.reference.root)) found.push(chain.reference);
    for (const key of chain.keys) collect(key, bound, found);
    return;
  }
  if (expression.kind !== "for") {
    for (const part of partsOf(expression)) collect(part, bound, found);
    return;
  }
  const { collection, keyName, valueName, key, value, condition } = expression;
  collect(collection, bound, found);
  const inner = new Set([...bound, valueName, ...(keyName === undefined ? [] : [keyName])]);
  for (const part of [key, value, condition]) if (part !== undefined) collect(part, inner, found);
}

/** Returns a variable with the steps that follow it; undefined for any other expression. */
function chainOf(
  expression: Expression,
): { readonly reference: Reference; readonly keys: readonly Expression[] } | undefined {
  if (expression.kind === "variable") {
    return { reference: { root: expression.name, steps: [] }, keys: [] };
  }
  if (expression.kind !== "attribute" && expression.kind !== "index") return undefined;
  const before = chainOf(expression.of);
  if (before === undefined) return undefined;
  const { reference, keys } = before;
  const isConstant = keys.length === 0;
  if (expression.kind === "attribute") {
    const steps = isConstant ? [...reference.steps, expression.name] : reference.steps;
    return { reference: { ...reference, steps }, keys };
  }
  const { key } = expression;
  const constant = key.kind === "literal" ? key.value.content : undefined;
  if (isConstant && (typeof constant === "string" || typeof constant === "number")) {
    return { reference: { ...reference, steps: [...reference.steps, constant] }, keys };
  }
  return { reference, keys: [...keys, key] };
}
