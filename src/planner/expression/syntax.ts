import { type Value } from "./value";

export const binaryOperators = [
  ["||"],
  ["&&"],
  ["==", "!="],
  ["<", ">", "<=", ">="],
  ["+", "-"],
  ["*", "/", "%"],
] as const;

export type BinaryOperator = (typeof binaryOperators)[number][number];

/** `for` in brackets, braces or a template. */
export interface ForExpression {
  readonly kind: "for";
  readonly keyName: string | undefined;
  readonly valueName: string;
  readonly collection: Expression;
  /** The key of an object's member; undefined for a tuple and for a template. */
  readonly key: Expression | undefined;
  readonly value: Expression;
  readonly condition: Expression | undefined;
  /** True if values with the same key are collected in a tuple. */
  readonly isGrouped: boolean;
}

/**
 * An expression of Terraform's language.
 *
 * @see {@link https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md#expressions}
 */
export type Expression =
  | { readonly kind: "literal"; readonly value: Value }
  /** Concatenates its parts. */
  | { readonly kind: "template"; readonly parts: readonly Expression[] }
  /** Concatenates the elements of a tuple: a `for` in a template. */
  | { readonly kind: "join"; readonly of: Expression }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "attribute"; readonly of: Expression; readonly name: string }
  | { readonly kind: "index"; readonly of: Expression; readonly key: Expression }
  | {
      readonly kind: "splat";
      readonly of: Expression;
      /** Evaluated for each element, with the element as the variable {@link splatElement}. */
      readonly each: Expression;
    }
  | {
      readonly kind: "call";
      readonly name: string;
      readonly args: readonly Expression[];
      /** True if the last argument is expanded, as in `max(list...)`. */
      readonly isExpanded: boolean;
    }
  | {
      readonly kind: "conditional";
      readonly condition: Expression;
      readonly then: Expression;
      readonly otherwise: Expression;
    }
  | { readonly kind: "unary"; readonly operator: "!" | "-"; readonly of: Expression }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: "tuple"; readonly elements: readonly Expression[] }
  | {
      readonly kind: "object";
      readonly members: readonly (readonly [key: Expression, value: Expression])[];
    }
  | ForExpression;

/** A function of versions after 1.11, whose second argument is a type. */
export const typedFunction = "convert";

/** The variable for an element in a splat expression. No identifier is empty. */
export const splatElement = "";

/** An expression that continues another one, such as `.name` or `+ 1`. */
export type Link = Extract<
  Expression,
  { readonly kind: "attribute" | "index" | "splat" | "binary" }
>;

/** An expression as its beginning and the links that follow it, from left to right. */
interface Chain {
  readonly start: Exclude<Expression, Link>;
  readonly links: readonly Link[];
}

/** Splits an expression such as `a.b[0]` or `1 + 2 + 3`. A chain can be too long for recursion. */
export function chainOf(expression: Expression): Chain {
  const links: Link[] = [];
  let start = expression;
  for (;;) {
    switch (start.kind) {
      case "attribute":
      case "index":
      case "splat":
        links.push(start);
        start = start.of;
        break;
      case "binary":
        links.push(start);
        start = start.left;
        break;
      default:
        return { start, links: links.toReversed() };
    }
  }
}

export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "literal":
    case "variable":
      return [];
    case "template":
      return expression.parts;
    case "attribute":
    case "join":
    case "unary":
      return [expression.of];
    case "index":
      return [expression.of, expression.key];
    case "splat":
      return [expression.of, expression.each];
    case "call":
      return expression.name === typedFunction ? expression.args.slice(0, 1) : expression.args;
    case "conditional":
      return [expression.condition, expression.then, expression.otherwise];
    case "binary":
      return [expression.left, expression.right];
    case "tuple":
      return expression.elements;
    case "object":
      return expression.members.flat();
    case "for": {
      const { collection, key, value, condition } = expression;
      return [collection, key, value, condition].filter((part) => part !== undefined);
    }
  }
}

/** A reference to a variable of the scope, with the names and keys after it. */
export interface Reference {
  readonly root: string;
  /** The attributes and constant keys after the root, up to the first key that is not constant. */
  readonly steps: readonly (string | number)[];
  /** All that follows the root. */
  readonly links: readonly Link[];
}

/** Returns all references in an expression, except to variables of its own `for` expressions. */
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
