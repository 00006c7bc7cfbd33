import type { Declaration } from "../../schema/declaration";
import type { IdentityOf } from "../../schema/identity";
import type { StateOf } from "../../schema/infer";
import type { Values } from "../../schema/resource-rule";
import type { PrivateState } from "./context";

/** Converts stored states of one earlier schema version to the current one. */
export interface StateUpgrade<State> {
  readonly version: number;
  /** The declaration by which a state of that version is decoded; undefined for plain JSON. */
  readonly declaration: Declaration | undefined;
  readonly convert: (state: unknown) => State | Promise<State>;
}

/**
 * A {@link StateUpgrade} that receives the state decoded by the resource's earlier declaration.
 *
 * Keep that declaration, with its `version`, in a separate file. Rules and documentation are not needed.
 *
 * @example upgradeFrom(noteV0, ({ title, ...rest }) => ({ ...rest, fileName: `${title}.txt` }))
 */
export function upgradeFrom<Earlier extends Declaration, State>(
  earlier: Earlier,
  convert: (state: StateOf<Earlier>) => State | Promise<State>,
): StateUpgrade<State> {
  const { version } = earlier;
  // The kit decodes the state by this declaration, from which the type is derived.
  return { version, declaration: earlier, convert: convert as StateUpgrade<State>["convert"] };
}

/**
 * A {@link StateUpgrade} that receives the state as plain JSON, with the names of Terraform's schema.
 * Numbers that JavaScript cannot represent are rounded: use {@link upgradeFrom} to keep them.
 *
 * @example upgradeFromJson(0, (state) => ({ fileName: `${state["title"]}.txt` }))
 */
export function upgradeFromJson<State>(
  version: number,
  convert: (state: Values) => State | Promise<State>,
): StateUpgrade<State> {
  return { version, declaration: undefined, convert: convert as StateUpgrade<State>["convert"] };
}

/** @throws Error when two upgrades convert from the same version, or one from the current or a later version */
export function checkUpgrades(
  { type, version }: Declaration,
  upgrades: readonly StateUpgrade<unknown>[],
): void {
  const seen = new Set<number>();
  for (const { version: from } of upgrades) {
    if (!Number.isInteger(from) || from < 0 || from >= version) {
      throw new Error(
        `${type}: an upgrade must convert from a version below the declaration's ${version} (got ${from})`,
      );
    }
    if (seen.has(from)) throw new Error(`${type}: two upgrades convert from version ${from}`);
    seen.add(from);
  }
}

/** Converts the state of another resource type, for a `moved` block. */
export interface StateMove<State> extends MoveOptions {
  /** The resource type that it converts from. */
  readonly type: string;
  /** The schema version that it converts from; undefined for every version. */
  readonly version: number | undefined;
  /** The declaration by which a state of that type is decoded; undefined for plain JSON. */
  readonly declaration: Declaration | undefined;
  readonly convert: (state: unknown, source: MoveSource) => State | Promise<State>;
}

/** The data of the other resource besides its state. */
export interface MoveSource<Identity = Values> {
  /** Its identity, which Terraform 1.12 and newer send; undefined without one. */
  readonly identity: Identity | undefined;
  /** Its private state. Empty if a provider that was not built with this kit stored it in another format. */
  readonly privateState: Pick<PrivateState, "get">;
}

/** Options of {@link moveFrom} and {@link moveFromJson}. */
export interface MoveOptions {
  /**
   * The source address of the other resource's provider, such as `registry.terraform.io/hashicorp/null`.
   *
   * @default any provider
   */
  readonly provider?: string | undefined;
  /**
   * Keeps the private state of the other resource. Only for resources of the same provider, because others write it
   * in another format.
   *
   * @default false
   */
  readonly keepPrivateState?: boolean | undefined;
}

/**
 * A {@link StateMove} that receives the state decoded by the declaration of the other resource, in that
 * declaration's version. It must declare every attribute of the other resource, and no others.
 *
 * @example moveFrom(memo, ({ subject, ...rest }) => ({ ...rest, fileName: `${subject}.txt` }))
 */
export function moveFrom<Source extends Declaration, State>(
  source: Source,
  convert: (
    state: StateOf<Source>,
    source: MoveSource<IdentityOf<Source>>,
  ) => State | Promise<State>,
  options: MoveOptions = {},
): StateMove<State> {
  const { type, version } = source;
  // The kit decodes the state and the identity by this declaration, from which their types are derived.
  const decoded = convert as unknown as StateMove<State>["convert"];
  return { ...options, type, version, declaration: source, convert: decoded };
}

/**
 * A {@link StateMove} that receives the state as plain JSON, with the names of Terraform's schema, in any
 * version. Numbers that JavaScript cannot represent are rounded: use {@link moveFrom} to keep them.
 *
 * @param convert receives the state and the identity with Terraform's names
 * @example moveFromJson("local_file", (state) => ({ path: String(state["filename"]) }))
 */
export function moveFromJson<State>(
  type: string,
  convert: (state: Values, source: MoveSource) => State | Promise<State>,
  options: MoveOptions = {},
): StateMove<State> {
  const decoded = convert as StateMove<State>["convert"];
  return { ...options, type, version: undefined, declaration: undefined, convert: decoded };
}
