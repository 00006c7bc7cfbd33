import type { ITerraformAddressable, TerraformProvider } from "cdktf";
import type { Construct } from "constructs";
import { given, type Given } from "./given";
import { CheckedConstruct } from "./checked-construct";
import type { ConstructType } from "./construct-type";
import { providerSource, providerVersion } from "./product";
import { synthesizedBody } from "./synthesized-values";

/** A provider with its settings. */
export abstract class ProviderConstruct<
  Binding extends TerraformProvider = TerraformProvider,
  Props extends object = object,
>
  extends CheckedConstruct<Binding>
  implements ITerraformAddressable
{
  /**
   * @param props the settings, and the `alias`
   * @param build makes the generated binding
   */
  constructor(
    scope: Construct,
    id: string,
    type: ConstructType,
    props: Props,
    build: (scope: Construct, id: string, config: Given<Props>) => Binding,
  ) {
    const settings = Object.entries(props).filter(([name]) => name !== "alias");
    super(scope, id, type, Object.fromEntries(settings), (self) =>
      pinned(build(self, "Default", given(props)), type),
    );
  }

  /** The provider's address in its stack: `ids`, or `ids.<alias>`. */
  get fqn(): string {
    return this.resource.fqn;
  }

  /** The name by which resources choose this provider; undefined for the stack's usual one. */
  get alias(): string | undefined {
    return this.resource.alias;
  }

  /** The provider's settings under Terraform's names; those that were not given are not there. */
  terraformConfig(): Record<string, unknown> {
    const settings = Object.entries(synthesizedBody(this.resource) ?? {}).filter(
      ([name, value]) => name !== "alias" && value !== undefined,
    );
    return Object.fromEntries(settings);
  }

  /** Sets a value that this construct does not offer, under its path in Terraform. */
  addOverride(path: string, value: unknown): void {
    this.resource.addOverride(path, value);
  }
}

/**
 * Has the stack require the very version that was built with this package: a development build is a
 * pre-release, which Terraform selects only when it is asked for exactly.
 */
function pinned<Binding extends TerraformProvider>(
  binding: Binding,
  { declaration }: ConstructType,
): Binding {
  const name = declaration.type;
  const version = providerVersion(name);
  Object.defineProperty(binding, "terraformProviderSource", { value: providerSource(name) });
  if (version !== undefined) {
    Object.defineProperty(binding, "terraformGeneratorMetadata", {
      value: { providerName: name, providerVersion: version, providerVersionConstraint: version },
    });
  }
  return binding;
}
