import type { Declaration } from "../../schema/declaration";
import type { Identity } from "../../schema/declaration";
import type { IdentityOf, UnmatchedIdentity } from "../../schema/identity";
import type { StateOf } from "../../schema/infer";
import type { Values } from "../../schema/resource-rule";
import { wireType } from "../../schema/wire-schema";
import type { Context } from "./context";
import { checkUpgrades, type StateUpgrade } from "./state-upgrade";

/** The optional handlers of a resource with an identity. */
export interface IdentityHandlers<D extends Declaration, Client> {
  /**
   * Returns the identity of an existing resource.
   *
   * @default the attributes of the same names
   */
  identity?(state: StateOf<D>, context: Context<Client>): IdentityOf<D>;
  /**
   * Converts an identity, for `import { identity = { … } }`, to the state that `read` needs. Values that are
   * optional for an import may be null.
   *
   * @default the attributes of the same names
   */
  importByIdentity?(identity: IdentityOf<D>, context: Context<Client>): Partial<StateOf<D>>;
  /**
   * Converts identities of earlier versions to the declared version. Use `upgradeFromJson`.
   *
   * @default an identity of an earlier version is dropped, and the next read provides a new one
   */
  readonly identityUpgrades?: readonly StateUpgrade<IdentityOf<D>>[];
}

/** The handlers that an identity requires, because the resource has no attributes of the same names. */
export type RequiredIdentityHandlers<D extends Declaration, Client> = [
  UnmatchedIdentity<D>,
] extends [never]
  ? unknown
  : Required<Pick<IdentityHandlers<D, Client>, "identity" | "importByIdentity">>;

/** {@link IdentityHandlers} without the types of the declaration. */
export interface IdentityImplementation<Client> {
  readonly identity?: ((state: Values, context: Context<Client>) => Values) | undefined;
  readonly importByIdentity?: ((identity: Values, context: Context<Client>) => Values) | undefined;
  readonly identityUpgrades?: readonly StateUpgrade<Values>[] | undefined;
}

/**
 * @throws Error when a value of the identity has neither a handler nor an attribute of the same name and type,
 * or when two upgrades convert from one version
 */
export function checkIdentityHandlers(
  { type, attributes, identity }: Declaration,
  handlers: {
    readonly identity?: unknown;
    readonly importByIdentity?: unknown;
    readonly identityUpgrades?: readonly StateUpgrade<unknown>[];
  },
): void {
  if (identity === undefined) return;
  checkUpgrades(identity, handlers.identityUpgrades ?? []);
  if (handlers.identity !== undefined && handlers.importByIdentity !== undefined) return;
  const unmatched = Object.keys(identity.attributes).find(
    (name) => wireTypeOf(name, identity.attributes) !== wireTypeOf(name, attributes),
  );
  if (unmatched === undefined) return;
  throw new Error(
    `${type}: no attribute has the name and type of "${unmatched}" in the identity, ` +
      "so the handlers identity and importByIdentity must provide its value",
  );
}

function wireTypeOf(name: string, attributes: Identity["attributes"]): string | undefined {
  const attribute = attributes[name];
  return attribute && JSON.stringify(wireType(attribute.type));
}
