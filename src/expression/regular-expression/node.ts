/** Code points from the first to the second, both included. */
export type Range = readonly [number, number];

export const maxCodePoint = 0x10_ffff;

/** A position without length. */
export type Assertion = "start" | "end" | "lineStart" | "lineEnd" | "word" | "notWord";

/** A part of a regular expression. */
export type Node =
  | { readonly kind: "set"; readonly ranges: readonly Range[] }
  | { readonly kind: "assertion"; readonly where: Assertion }
  | { readonly kind: "sequence"; readonly parts: readonly Node[] }
  | { readonly kind: "choice"; readonly options: readonly Node[] }
  | { readonly kind: "group"; readonly index: number; readonly node: Node }
  | {
      readonly kind: "repeat";
      readonly node: Node;
      readonly min: number;
      readonly max: number;
      readonly isLazy: boolean;
    };

/** A regular expression, with the names of its groups; a group without one has an empty name. */
export interface Pattern {
  readonly node: Node;
  readonly names: readonly string[];
}

/** Checks whether a part can match nothing. */
export function isNullable(node: Node): boolean {
  switch (node.kind) {
    case "set":
      return false;
    case "assertion":
      return true;
    case "sequence":
      return node.parts.every(isNullable);
    case "choice":
      return node.options.some(isNullable);
    case "group":
      return isNullable(node.node);
    case "repeat":
      return node.min === 0 || isNullable(node.node);
  }
}
