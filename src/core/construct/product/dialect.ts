import { TerraformDataSource, TerraformProvider } from "cdktf";
import type { Declaration } from "../../schema";
import { product as trivet, type Product, type ProductProvider } from "./product";
import type { Binding } from "../cdktf-internals/binding";
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
export function applyDialect<Target extends Binding>(binding: Target, dialect: Dialect): Target {
  const { type, toProduct } = dialect;
  define(binding, "terraformResourceType", type);
  if (TerraformProvider.isTerraformProvider(binding)) return binding;
  // `fqn` starts with it; cdktf stores it a second time.
  const isData = TerraformDataSource.isTerraformDataSource(binding);
  define(binding, "_elementType", isData ? `data.${type}` : type);
  if (toProduct !== undefined) translate(binding, toProduct);
  return binding;
}

const define = (binding: Binding, name: string, value: unknown): void => {
  Object.defineProperty(binding, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
};

type Synthesize = () => Record<string, unknown>;

/** The methods of cdktf that create a body and its references. The first two are protected. */
interface SynthesisMethods {
  readonly synthesizeAttributes: Synthesize;
  readonly synthesizeHclAttributes: Synthesize;
  readonly interpolationForAttribute: (path: string) => unknown;
}

function translate(binding: Binding, toProduct: Vocabulary): void {
  const methods = binding as unknown as SynthesisMethods;
  const json = methods.synthesizeAttributes.bind(binding);
  const hcl = methods.synthesizeHclAttributes.bind(binding);
  const reference = methods.interpolationForAttribute.bind(binding);
  define(binding, "synthesizeAttributes", () => translated(json(), toProduct));
  define(binding, "synthesizeHclAttributes", () => translated(hcl(), toProduct));
  define(binding, "interpolationForAttribute", (path: string) =>
    reference(translatedPath(path, toProduct)),
  );
}
