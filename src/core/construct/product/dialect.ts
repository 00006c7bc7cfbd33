import { TerraformModule, TerraformProvider } from "cdktf";
import type { Declaration } from "../../schema";
import { product as trivet, type Product, type ProductProvider } from "./product";
import { type Binding, convertBinding, renameType } from "../cdktf-internals/binding";
import { reversed, translated, translatedPath, vocabularyOf, type Vocabulary } from "./vocabulary";

/** Another product's names for one declared type. */
export interface Dialect {
  /** The declaration with the product's refusals added to its rules. */
  readonly declaration: Declaration;
  /** The product's type in Terraform; for a provider, its name. */
  readonly type: string;
  readonly provider: string;
  /** Translates our names and enum values to the product's; undefined if they are the same. */
  readonly toProduct: Vocabulary | undefined;
  /** Translates the product's names and enum values to ours; undefined if they are the same. */
  readonly toOurs: Vocabulary | undefined;
}

/** Returns the name of our provider that a declaration belongs to: `ids` for `ids_endpoint`. */
export function sliceOf({ kind, type }: Declaration): string {
  return kind === "provider" ? type : type.slice(0, type.indexOf("_"));
}

const dialects = new WeakMap<Product, Map<Declaration, Dialect | undefined>>();

/** Returns the dialect of a product for a declaration; undefined if the product is this package. */
export function dialectOf(product: Product, declaration: Declaration): Dialect | undefined {
  if (product === trivet) return undefined;
  const known = dialects.get(product) ?? new Map<Declaration, Dialect | undefined>();
  dialects.set(product, known);
  if (!known.has(declaration)) known.set(declaration, newDialect(product, declaration));
  return known.get(declaration);
}

function newDialect(product: Product, declaration: Declaration): Dialect | undefined {
  const { kind, type, rules } = declaration;
  const slice = sliceOf(declaration);
  const provider = product.providers[slice];
  if (provider === undefined || kind === "module") return undefined;
  const { typePrefix } = provider;
  const toProduct = vocabularyOf(provider, type);
  return {
    declaration: { ...declaration, rules: [...rules, ...(provider.refusals?.[type] ?? [])] },
    type: kind === "provider" ? typePrefix : productType(provider, slice, type),
    provider: typePrefix,
    toProduct,
    toOurs: toProduct === undefined ? undefined : reversed(toProduct),
  };
}

export const productType = (
  { typePrefix }: ProductProvider,
  slice: string,
  declaredType: string,
): string => typePrefix + declaredType.slice(slice.length);

/** Makes a binding use the names of a dialect. Must be called before anything refers to the binding. */
export function applyDialect(binding: Binding, { type, toProduct }: Dialect): void {
  renameType(binding, type);
  if (toProduct === undefined) return;
  if (binding instanceof TerraformModule || TerraformProvider.isTerraformProvider(binding)) return;
  convertBinding(
    binding,
    (body) => translated(body, toProduct),
    (path) => translatedPath(path, toProduct),
  );
}
