import type { ITerraformAddressable, TerraformProvider } from "cdktf";
import type { Construct } from "constructs";
import type { Declaration } from "../../schema";
import { requireProvider, synthesizedBody } from "../cdktf-internals/binding";
import { sliceOf } from "../product/dialect";
import { providerSource, type Product } from "../product/product";
import { productOf, providerVersion } from "../product/stack-product";
import { CheckedConstruct } from "./checked-construct";
import { given, orNone, type Given } from "./props";

/** The meta-arguments of a provider. `product` is for slices that serve several products. */
export interface ProviderMetaArguments {
  /**
   * The name by which resources select this provider, if a stack has several.
   *
   * @default none: the provider of all resources that select none
   */
  readonly alias?: string | undefined;
  /**
   * The product whose provider Terraform uses. A stack has one for all constructs of a slice: create the
   * provider that sets it before them.
   *
   * @default the stack's: this package, unless a provider has set another one
   */
  readonly product?: Product | undefined;
}

/** A provider with its settings. */
export abstract class ProviderConstruct<
  Binding extends TerraformProvider = TerraformProvider,
  Props extends ProviderMetaArguments = ProviderMetaArguments,
>
  extends CheckedConstruct<Binding>
  implements ITerraformAddressable
{
  /**
   * @param props the settings, the `alias` and the `product`
   * @param build creates the generated binding
   * @throws ValidationError with all problems of the settings
   */
  constructor(
    scope: Construct,
    id: string,
    declaration: Declaration,
    props: Props,
    build: (scope: Construct, id: string, config: Given<Omit<Props, "product">>) => Binding,
  ) {
    const { product, ...config } = orNone(props);
    const { alias: _, ...settings } = config;
    const slice = sliceOf(declaration);
    const chosen = product ?? productOf(scope, slice);
    const create = (self: Construct): Binding =>
      pinned(build(self, "Default", given(config, declaration)), slice, chosen);
    super(scope, id, declaration, settings, create, product);
  }

  /** The provider's address in its stack: `ids`, or `ids.<alias>`. */
  get fqn(): string {
    return this.resource.fqn;
  }

  /** The name by which resources select this provider; undefined for the stack's default one. */
  get alias(): string | undefined {
    return this.resource.alias;
  }

  /** The provider's settings under Terraform's names. Settings that are not set are left out. */
  terraformConfig(): Record<string, unknown> {
    const settings = Object.entries(synthesizedBody(this.resource) ?? {}).filter(
      ([name, value]) => name !== "alias" && value !== undefined,
    );
    return Object.fromEntries(settings);
  }

  /** Sets a value that this construct does not offer, by its path in Terraform. */
  addOverride(path: string, value: unknown): void {
    this.resource.addOverride(path, value);
  }
}

/**
 * Makes the stack require the product's provider. For a provider of this package, the version is exactly the one that was
 * built with it: a development build is a pre-release, and Terraform selects those only by an exact
 * constraint.
 */
function pinned<Binding extends TerraformProvider>(
  binding: Binding,
  slice: string,
  product: Product,
): Binding {
  const provider = product.providers[slice];
  if (provider === undefined) return binding;
  const isOurs = provider.source === providerSource(slice);
  const version = provider.version ?? (isOurs ? providerVersion(slice) : undefined);
  const isBound = version === undefined && isOurs;
  requireProvider(
    binding,
    provider.source,
    isBound ? undefined : { name: provider.typePrefix, version },
  );
  return binding;
}
