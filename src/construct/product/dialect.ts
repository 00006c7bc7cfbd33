import { TerraformDataSource, TerraformProvider } from "cdktf";
import type { Declaration } from "../../schema";
import { product as trivet, type Product } from "./product";
import type { Binding } from "../cdktf-internals/binding";
import { reversed, translated, translatedPath, vocabularyOf, type Vocabulary } from "./vocabulary";

/** How a product that is not this package speaks of one declared type. */
export interface Dialect {
  /** The declaration, with what the product refuses. */
  readonly declaration: Declaration;
  /** The type in the product's Terraform; for a provider its name. */
  readonly type: string;
  /** The provider's name in a stack. */
  readonly provider: string;
  readonly toProduct: Vocabulary | undefined;
  readonly toOurs: Vocabulary | undefined;
}

/** The name of our provider that a declaration belongs to: `ids` for `ids_endpoint`. */
export function sliceOf({ kind, type }: Declaration): string {
  return kind === "provider" ? type : type.slice(0, type.indexOf("_"));
}

const dialects = new WeakMap<Product, Map<Declaration, Dialect | undefined>>();

/** How a product speaks of a type; undefined when it does so in our own words. */
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
  if (provider === undefined) return undefined;
  const { typePrefix } = provider;
  const toProduct = vocabularyOf(provider, type);
  return {
    declaration: { ...declaration, rules: [...rules, ...(provider.refusals?.[type] ?? [])] },
    type: kind === "provider" ? typePrefix : typePrefix + type.slice(slice.length),
    provider: typePrefix,
    toProduct,
    toOurs: toProduct === undefined ? undefined : reversed(toProduct),
  };
}

/** Has a binding speak a dialect, before anything refers to it. */
export function speak<Speaker extends Binding>(binding: Speaker, dialect: Dialect): Speaker {
  const { type, provider, toProduct } = dialect;
  define(binding, "terraformResourceType", type);
  if (TerraformProvider.isTerraformProvider(binding)) return binding;
  define(binding, "terraformGeneratorMetadata", {
    ...binding.terraformGeneratorMetadata,
    providerName: provider,
  });
  // What `fqn` starts with; cdktf has it once more.
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

/** cdktf's own pieces that a body and its references are made from; the first two are protected. */
interface Pieces {
  readonly synthesizeAttributes: Synthesize;
  readonly synthesizeHclAttributes: Synthesize;
  readonly interpolationForAttribute: (path: string) => unknown;
}

function translate(binding: Binding, toProduct: Vocabulary): void {
  const pieces = binding as unknown as Pieces;
  const json = pieces.synthesizeAttributes.bind(binding);
  const hcl = pieces.synthesizeHclAttributes.bind(binding);
  const reference = pieces.interpolationForAttribute.bind(binding);
  define(binding, "synthesizeAttributes", () => translated(json(), toProduct));
  define(binding, "synthesizeHclAttributes", () => translated(hcl(), toProduct));
  define(binding, "interpolationForAttribute", (path: string) =>
    reference(translatedPath(path, toProduct)),
  );
}
