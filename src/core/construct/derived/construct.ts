import type { Construct } from "constructs";
import type { Attributes, Blocks, Declaration, FunctionDeclaration } from "../../schema";
import type { DataSourceConstruct, ResourceConstruct } from "../base/element-construct";
import type { DataSourceMetaArguments, MetaArguments } from "../base/props";
import type { ProviderConstruct, ProviderMetaArguments } from "../base/provider-construct";
import { product } from "../product/product";
import {
  type ActionEvent,
  type TriggeringResource,
  actionClass,
  dataSourceClass,
  providerClass,
  resourceClass,
} from "./classes";
import { caller, type FunctionCaller } from "./function";
import type { NestedOutputs, InputsOf, KnownBlocks } from "./props";

type Declared<Kind extends Declaration["kind"]> = Declaration<Attributes, Blocks, Attributes, Kind>;

type DeclaredProps<D extends Declaration> = InputsOf<D["attributes"], KnownBlocks<D["blocks"]>>;

/** The last argument of a constructor, which can be left out if no property is required. */
type Last<Props> = Record<never, never> extends Props ? [props?: Props] : [props: Props];

/** The members of a base class, and a getter for all that is declared under another name. */
type WithOutputs<Base, D extends Declaration> = Base &
  NestedOutputs<D["attributes"], KnownBlocks<D["blocks"]>, keyof Base>;

/** The class of constructs for a declared resource. */
interface ResourceClass<D extends Declaration> {
  new (
    scope: Construct,
    id: string,
    ...props: Last<DeclaredProps<D> & MetaArguments>
  ): WithOutputs<ResourceConstruct, D>;
  /** The resource's type token, which identifies it across products. */
  readonly typeToken: string;
}

/** The class of constructs for a declared data source or ephemeral resource. */
export interface DataSourceClass<D extends Declaration> {
  new (
    scope: Construct,
    id: string,
    ...props: Last<DeclaredProps<D> & DataSourceMetaArguments>
  ): WithOutputs<DataSourceConstruct, D>;
  /** The type token, which identifies it across products. */
  readonly typeToken: string;
}

/** A construct for an action. */
interface ActionConstruct extends DataSourceConstruct {
  /**
   * Lets Terraform run the action when something happens to a resource.
   *
   * @param events such as `after_create`
   * @throws Error if there are none
   */
  triggeredBy(resource: TriggeringResource, ...events: readonly ActionEvent[]): void;
}

/** The class of constructs for a declared action. */
interface ActionClass<D extends Declaration> {
  new (
    scope: Construct,
    id: string,
    ...props: Last<
      DeclaredProps<D> & Pick<DataSourceMetaArguments, "count" | "forEach" | "provider">
    >
  ): ActionConstruct;
  /** The type token, which identifies it across products. */
  readonly typeToken: string;
}

/** The class of constructs for a declared provider. */
type ProviderClass<D extends Declaration> = new (
  scope: Construct,
  id: string,
  ...props: Last<DeclaredProps<D> & Pick<ProviderMetaArguments, "alias">>
) => ProviderConstruct;

/** What stacks require of a provider. */
interface ProviderClassOptions {
  /**
   * The version constraint that a stack requires, such as `~> 1.2`. A provider that is served from the project has no
   * version.
   *
   * @default any version
   */
  readonly version?: string;
}

/**
 * Makes a class of constructs from a declaration of the provider kit. It is used like the classes of this package:
 * with typed properties, outputs as getters, meta-arguments, and the declared rules, which are checked before
 * synthesis.
 *
 * A provider needs a `source` in its declaration. A function of a provider becomes a function that returns a token.
 *
 * See the guide `docs/guide/constructs-from-declarations.md` in this package.
 *
 * @example
 * ```ts
 * const Note = construct(note);
 * new Note(this, "milk", { fileName: "milk.txt", text: "We need milk." });
 * ```
 * @throws Error if the declaration of a provider has no source
 */
export function construct<D extends Declared<"resource">>(declaration: D): ResourceClass<D>;
export function construct<D extends Declared<"data source"> | Declared<"ephemeral resource">>(
  declaration: D,
): DataSourceClass<D>;
export function construct<D extends Declared<"action">>(declaration: D): ActionClass<D>;
export function construct<D extends Declared<"provider">>(
  declaration: D,
  options?: ProviderClassOptions,
): ProviderClass<D>;
export function construct<F extends FunctionDeclaration>(
  declaration: F,
  provider: Declared<"provider">,
): FunctionCaller<F>;
export function construct(
  declaration: Declaration | FunctionDeclaration,
  options: Declaration | ProviderClassOptions = {},
): unknown {
  if (!("kind" in declaration)) return caller(declaration, options as Declaration);
  switch (declaration.kind) {
    case "resource":
      return resourceClass(declaration);
    case "data source":
    case "ephemeral resource":
      return dataSourceClass(declaration);
    case "action":
      return actionClass(declaration);
    case "provider":
      return providerClass(
        declaration,
        requirementOf(declaration, options as ProviderClassOptions),
      );
    default:
      throw new Error(
        `construct cannot make a class from ${declaration.type}: constructs are for resources, data sources, ` +
          `ephemeral resources, actions, providers and functions, not for a declaration of kind "${declaration.kind}"`,
      );
  }
}

function requirementOf({ type, source }: Declaration, { version }: ProviderClassOptions) {
  if (source === undefined && !Object.hasOwn(product.providers, type)) {
    throw new Error(
      `the declaration of the provider ${type} has no source: ` +
        `write provider("${type}", { source: "example.com/acme/${type}", … })`,
    );
  }
  return { source, version };
}
