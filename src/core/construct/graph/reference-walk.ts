import { Tokenization, type IResolvable, type TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import { mayBeToken, isReference, type Reference } from "../token/is-token";
import { traversalsInExpression, traversalsInText } from "../token/traversal";
import { addressIn } from "./address";
import { ReferenceResolver } from "./attribute-references";

type OnReference = (address: string, origin: TerraformStack | undefined) => void;

/** Terraform reads strings under these names as references. */
const bareNames = new Set([
  "depends_on",
  "dependsOn",
  "replace_triggered_by",
  "replaceTriggeredBy",
]);

/**
 * Visits values as cdktf stores them before they are resolved, and reports every reference in them. Only
 * a token that is not itself a reference is resolved, to find references inside it.
 */
export class ReferenceWalk {
  readonly #scope: IConstruct;
  readonly #onReference: OnReference;

  constructor(scope: IConstruct, onReference: OnReference) {
    this.#scope = scope;
    this.#onReference = onReference;
  }

  /** @param isBare true if a string is a reference itself, without a template's braces */
  value(value: unknown, isBare = false): void {
    if (typeof value === "string") this.#text(value, isBare);
    else if (typeof value === "number") {
      // All number tokens are far below.
      if (value < -1e280) this.#tokens(value);
    } else if (Array.isArray(value)) this.#list(value, isBare);
    else if (typeof value === "object" && value !== null) this.#object(value, isBare);
  }

  #text(text: string, isBare: boolean): void {
    if (!isBare && !mayBeToken(text)) return;
    const hasToken = text.includes("TfToken[");
    if (hasToken || text.includes("e+2")) this.#tokens(text);
    const rest = hasToken ? text.replaceAll(/[$#&]\{TfToken\[[^\]]*\]\}/g, "null") : text;
    const found = isBare ? traversalsInExpression(rest) : traversalsInText(rest);
    for (const address of found) this.#onReference(address, undefined);
  }

  #list(list: readonly unknown[], isBare: boolean): void {
    const [only] = list;
    if (list.length === 1 && isMarked(only, "#")) this.#tokens(list);
    else for (const each of list) this.value(each, isBare);
  }

  #object(object: object, isBare: boolean): void {
    if (isDynamicBlock(object)) {
      this.value(object.toTerraformDynamicBlockJson());
      return;
    }
    if (Tokenization.isResolvable(object)) {
      this.#token(object, isBare);
      return;
    }
    const values: Readonly<Record<string, unknown>> = { ...object };
    for (const name in values) {
      if (name === "//") continue;
      if (name.includes("{")) {
        if (isMarked(name, "&")) this.#tokens(object);
        this.#text(name, false);
      }
      this.value(values[name], isBare || bareNames.has(name));
    }
  }

  #tokens(encoded: unknown): void {
    for (const token of Tokenization.reverse(encoded)) this.#token(token, false);
  }

  #token(token: IResolvable, isBare: boolean): void {
    if (isReference(token)) {
      this.#reference(token);
      return;
    }
    const resolver = new ReferenceResolver((reference) => {
      this.#reference(reference);
      return "null";
    });
    let resolved: unknown;
    try {
      resolved = Tokenization.resolve(token, { scope: this.#scope, resolver });
    } catch {
      // Synthesis reports what is wrong with such a token.
      return;
    }
    if (!Tokenization.isResolvable(resolved)) this.value(resolved, isBare);
  }

  #reference({ identifier, originStack }: Reference): void {
    this.#onReference(addressIn(identifier), originStack);
  }
}

/** Recognises dynamic blocks by their members, because cdktf does not export their class. */
const isDynamicBlock = (
  object: object,
): object is { readonly toTerraformDynamicBlockJson: () => unknown } =>
  "toTerraformDynamicBlockJson" in object &&
  typeof object.toTerraformDynamicBlockJson === "function";

/** Checks whether an element or a key is cdktf's placeholder for a whole list (`#`) or map (`&`). */
const isMarked = (value: unknown, sign: "#" | "&"): boolean =>
  typeof value === "number"
    ? value < -1e280
    : typeof value === "string" && value.startsWith(`${sign}{TfToken[`);

interface ValueReference {
  readonly address: string;
  /** The element's stack; undefined if the user wrote the expression as a string. */
  readonly stack: TerraformStack | undefined;
}

/** Returns the references in one value. `StackContext.references` has those of whole elements. */
export function referencesIn(scope: IConstruct, value: unknown): readonly ValueReference[] {
  const found: ValueReference[] = [];
  new ReferenceWalk(scope, (address, stack) => found.push({ address, stack })).value(value);
  return found;
}
