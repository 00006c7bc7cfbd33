import {
  type Attribute,
  type Attributes,
  type Block,
  type Blocks,
  type Fields,
  block,
  optional,
  wireName,
} from "./attribute";
import type { DeclarationKind } from "./declared-types";
import { defineDeprecations } from "./nested-attributes";
import { durationRule } from "./duration";
import { checkDeclaration } from "./declaration-rules";
import { checkIdentity, type IdentityBody } from "./identity";
import type { ResourceRule } from "./resource-rule";
import { type ObjectType, t } from "./type";

export type { DeclarationKind } from "./declared-types";

/** The operations whose duration a user may limit. */
export type TimeoutName = "create" | "read" | "update" | "delete" | "open";

/** Default timeouts in milliseconds. */
export type Timeouts = Readonly<Partial<Record<TimeoutName, number>>>;

/** A declared provider, resource, data source or ephemeral resource. */
export interface Declaration<
  A extends Attributes = Attributes,
  B extends Blocks = Blocks,
  I extends Attributes = Attributes,
  K extends DeclarationKind = DeclarationKind,
> extends Fields<A, B> {
  readonly kind: K;
  /** The type in Terraform, such as `ids_endpoint`; for a provider, its name. */
  readonly type: string;
  /** The documentation: full sentences in Markdown. */
  readonly doc: string;
  readonly blocks: B;
  readonly rules: readonly ResourceRule[];
  /** The schema's version in the state. */
  readonly version: number;
  /** How long each operation may take, in milliseconds, unless the user sets another value in `timeouts`. */
  readonly timeouts: Timeouts;
  /**
   * The IDs that `terraform import` accepts: templates such as `{project}/{location}/{endpointId}`, tried
   * in order. A part that can contain slashes is written `{+image}`.
   */
  readonly importId: readonly string[];
  /** The values that identify a resource, besides its state. @default no identity */
  readonly identity?: Identity<I> | undefined;
  /**
   * For a provider: its source address, such as `example.com/acme/notes`. @default stacks must set it
   */
  readonly source?: string | undefined;
}

/**
 * The values that identify a resource, which are stored beside its state, as a separate declaration. Its
 * `version` is that of the stored identity.
 */
export type Identity<A extends Attributes = Attributes> = Declaration<
  A,
  Record<never, never>,
  Record<never, never>
>;

/** The parts that every kind of declaration has. */
export interface Body<
  A extends Attributes,
  B extends Blocks,
  T extends Timeouts = Record<never, never>,
> {
  readonly doc: string;
  readonly attributes: A;
  readonly blocks?: B;
  readonly rules?: readonly ResourceRule<NoInfer<Extract<keyof A | keyof B, string>>>[];
  /**
   * Adds a `timeouts` block with these defaults. The {@link timeouts} of an attribute are written with `=` instead.
   *
   * @default no block
   */
  readonly timeouts?: T;
}

interface ResourceBody<
  A extends Attributes,
  B extends Blocks,
  T extends Timeouts,
  I extends Attributes,
> extends Body<A, B, T> {
  /** @default 0 */
  readonly version?: number;
  /** @default the resource cannot be imported */
  readonly importId?: readonly string[];
  /**
   * The values that identify a resource: they never change, and together they are unique. Terraform 1.12
   * stores them, and imports by them: `import { identity = { … } }`. Older versions ignore them.
   *
   * By default, the values come from the attributes with the same names.
   *
   * @default no identity
   * @see {@link https://developer.hashicorp.com/terraform/plugin/framework/resources/identity}
   */
  readonly identity?: IdentityBody<I>;
}

const timeout = () => optional(t.string(durationRule), { doc: "Timeout of this operation." });

type TimeoutAttributes<T extends Timeouts> = Pick<
  Record<TimeoutName, ReturnType<typeof timeout>>,
  Extract<keyof T, TimeoutName>
>;

/**
 * Declares `timeouts` as an attribute with these defaults, as some providers in Go do: `timeouts = { … }`.
 *
 * @example attributes: { timeouts: timeouts({ create: 60_000 }) }
 */
export function timeouts<const T extends Timeouts>(
  defaults: T,
): Attribute<"optional", ObjectType<TimeoutAttributes<T>>, false> {
  // Each timeout has an attribute with its name, which the compiler cannot see.
  const attributes = timeoutAttributes(defaults) as TimeoutAttributes<T>;
  return { ...optional(t.object(attributes), { doc: timeoutsDoc }), timeouts: defaults };
}

const timeoutsDoc = "How long an operation may take, as durations such as `90s` or `1h30m`.";

const timeoutAttributes = (defaults: Timeouts): Attributes =>
  Object.fromEntries(Object.keys(defaults).map((name) => [name, timeout()]));

/** The `timeouts` block that a declaration with timeouts has in addition to its own blocks. */
type TimeoutsBlock<T extends Timeouts> = keyof T extends never
  ? Record<never, never>
  : {
      readonly timeouts: Block<"single", TimeoutAttributes<T>, Record<never, never>>;
    };

/** Adds the `timeouts` block to the blocks of the body, and returns the defaults of that block or attribute. */
function timed<B extends Blocks, T extends Timeouts>(
  type: string,
  { timeouts: defaults, attributes, blocks }: Omit<Body<Attributes, B, T>, "doc" | "rules">,
): { readonly blocks: B & TimeoutsBlock<T>; readonly timeouts: Timeouts } {
  const own = attributes["timeouts"]?.timeouts;
  if (defaults === undefined || Object.keys(defaults).length === 0) {
    return { blocks: (blocks ?? {}) as B & TimeoutsBlock<T>, timeouts: own ?? {} };
  }
  if (own !== undefined || (blocks !== undefined && "timeouts" in blocks)) {
    throw new Error(`${type}: \`timeouts\` already declares the block "timeouts"`);
  }
  const added = block.single({ attributes: timeoutAttributes(defaults) }, { doc: timeoutsDoc });
  // The type of the block follows from the names of the timeouts, which the compiler cannot see.
  return { blocks: { ...blocks, timeouts: added } as B & TimeoutsBlock<T>, timeouts: defaults };
}

/**
 * Declares a resource.
 *
 * @throws Error when Terraform cannot use the declaration, with all reasons
 */
export function resource<
  const A extends Attributes,
  const B extends Blocks = Record<never, never>,
  const T extends Timeouts = Record<never, never>,
  const I extends Attributes = Record<never, never>,
>(
  type: string,
  body: ResourceBody<A, B, T, I>,
): Declaration<A, B & TimeoutsBlock<T>, I, "resource"> {
  const declaration: Declaration<A, B & TimeoutsBlock<T>, I, "resource"> = {
    kind: "resource",
    type,
    doc: body.doc,
    attributes: body.attributes,
    ...timed(type, body),
    rules: body.rules ?? [],
    version: body.version ?? 0,
    importId: body.importId ?? [],
    ...(body.identity !== undefined && { identity: identityOf(type, body.identity) }),
  };
  checkDeclaration(declaration.kind, declaration);
  defineDeprecations(declaration);
  return declaration;
}

function identityOf<A extends Attributes>(type: string, body: IdentityBody<A>): Identity<A> {
  const { attributes, version = 0 } = body;
  checkIdentity(type, attributes, version);
  const nothing = { blocks: {}, rules: [], timeouts: {}, importId: [] };
  return { ...nothing, kind: "resource", type, doc: "", attributes, version };
}

/** A declaration without a version, import and identity. */
export function plain<
  K extends DeclarationKind,
  A extends Attributes,
  B extends Blocks,
  T extends Timeouts = Record<never, never>,
>(kind: K, type: string, body: Body<A, B, T>): Declaration<A, B & TimeoutsBlock<T>, Attributes, K> {
  const declaration: Declaration<A, B & TimeoutsBlock<T>, Attributes, K> = {
    kind,
    type,
    doc: body.doc,
    attributes: body.attributes,
    ...timed(type, body),
    rules: body.rules ?? [],
    version: 0,
    importId: [],
  };
  checkDeclaration(declaration.kind, declaration);
  defineDeprecations(declaration);
  return declaration;
}

/** Declares a data source. */
export function dataSource<
  const A extends Attributes,
  const B extends Blocks = Record<never, never>,
  const T extends Pick<Timeouts, "read"> = Record<never, never>,
>(
  type: string,
  body: Body<A, B, T>,
): Declaration<A, B & TimeoutsBlock<T>, Attributes, "data source"> {
  return plain("data source", type, body);
}

/**
 * Declares an ephemeral resource, whose values are in no plan and in no state. Terraform opens it whenever it
 * needs the values, and closes it afterwards.
 *
 * @see {@link https://developer.hashicorp.com/terraform/language/block/ephemeral}
 */
export function ephemeralResource<
  const A extends Attributes,
  const B extends Blocks = Record<never, never>,
  const T extends Pick<Timeouts, "open"> = Record<never, never>,
>(
  type: string,
  body: Body<A, B, T>,
): Declaration<A, B & TimeoutsBlock<T>, Attributes, "ephemeral resource"> {
  return plain("ephemeral resource", type, body);
}

/**
 * Declares how a stack calls a module: the arguments that a construct checks. No provider serves it. The attribute
 * `variables` holds all arguments that are not declared, by their names in the module.
 *
 * @param type its name in a product, like the type of a resource
 */
export function moduleCall<const A extends Attributes>(
  type: string,
  body: Body<A, Record<never, never>>,
): Declaration<A, Record<never, never>, Attributes, "module"> {
  return plain("module", type, body);
}

interface ProviderBody<A extends Attributes, B extends Blocks> extends Body<A, B> {
  /**
   * The source address under which stacks require the provider, such as `example.com/acme/notes`. It is a part of
   * the state, so choose the address under which you would publish the provider.
   *
   * @default stacks must set it
   */
  readonly source?: string;
}

/** Declares a provider's settings. */
export function provider<const A extends Attributes, const B extends Blocks = Record<never, never>>(
  name: string,
  body: ProviderBody<A, B>,
): Declaration<A, B, Attributes, "provider"> {
  const { source } = body;
  return { ...plain("provider", name, body), ...(source !== undefined && { source }) };
}

/**
 * Declares the values with which a module describes itself to the provider, in a `provider_meta` block. The
 * values are the same for all resources of the module.
 *
 * @param name the provider's name
 * @see {@link https://developer.hashicorp.com/terraform/internals/provider-meta}
 */
export function providerMeta<
  const A extends Attributes,
  const B extends Blocks = Record<never, never>,
>(name: string, body: Body<A, B>): Declaration<A, B> {
  return plain("provider meta", name, body);
}

/** Returns the forms of the ID that `terraform import` accepts, with Terraform's names of the parts. */
export function importForms({ attributes, importId }: Declaration): readonly string[] {
  return importId.map((template) =>
    template.replaceAll(
      /\{\+?(\w+)\}/g,
      (_, name: string) => `{${wireName(name, attributes[name])}}`,
    ),
  );
}

const pascal = (text: string): string =>
  text
    .split(/[_-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

const classPrefixes: Partial<Record<DeclarationKind, string>> = {
  "data source": "Data",
  "ephemeral resource": "Ephemeral",
};

/** Returns the class of the construct for a declaration: `Note` for `notes_note`, `NotesProvider` for `notes`. */
export function classNameOf({ kind, type }: Pick<Declaration, "kind" | "type">): string {
  if (kind === "provider") return `${pascal(type)}Provider`;
  const own = type.slice(type.indexOf("_") + 1);
  return (classPrefixes[kind] ?? "") + pascal(own);
}
