import { TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import type { Declaration, Finding } from "../../schema";
import { sliceOf } from "./dialect";
import { product as trivet, type Product } from "./product";

/** What settled the product of a stack's constructs of one slice. */
interface Choice {
  readonly product: Product;
  /** The path of the first construct of the slice. */
  readonly by: string;
  readonly isProvider: boolean;
}

const choices = new WeakMap<TerraformStack, Map<string, Choice>>();

const choiceOf = (construct: IConstruct, slice: string): Choice | undefined =>
  choices.get(TerraformStack.of(construct))?.get(slice);

/** The product that the constructs of a slice (`ids`, `workspace`) serve in the stack of a construct. */
export function productOf(construct: IConstruct, slice: string): Product {
  return choiceOf(construct, slice)?.product ?? trivet;
}

/** Holds a product fast once a construct of its slice stands in the stack. */
export function fixProduct(
  construct: IConstruct,
  declaration: Declaration,
  product: Product,
): void {
  const stack = TerraformStack.of(construct);
  const slice = sliceOf(declaration);
  const settled = choices.get(stack) ?? new Map<string, Choice>();
  if (settled.has(slice)) return;
  const isProvider = declaration.kind === "provider";
  settled.set(slice, { product, by: construct.node.path, isProvider });
  choices.set(stack, settled);
}

/** What keeps a provider in a scope from choosing a product. */
export function wrongProduct(
  scope: IConstruct,
  declaration: Declaration,
  product: Product,
): Finding | undefined {
  const slice = sliceOf(declaration);
  const got = JSON.stringify(product.name);
  if (!Object.hasOwn(product.providers, slice)) {
    const has = Object.keys(product.providers).join(", ");
    return finding(
      "INVALID_ARGUMENT",
      `must have a provider for ${slice} (got ${got}, with ${has})`,
    );
  }
  const settled = choiceOf(scope, slice);
  if (settled === undefined || settled.product === product) return undefined;
  const other = JSON.stringify(settled.product.name);
  return finding(
    "CONFLICT",
    settled.isProvider
      ? `must be ${other}, as for ${settled.by}: a stack has one product for all its ${slice} providers (got ${got})`
      : `must be chosen before the first ${slice} construct of the stack, and ${settled.by} is made for ${other} already (got ${got}): make this provider first`,
  );
}

const finding = (code: Finding["code"], message: string): Finding => ({
  code,
  severity: "error",
  path: ["product"],
  message,
});
